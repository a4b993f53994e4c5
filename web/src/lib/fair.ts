/**
 * The dice, checked in the browser: the seed that is told at the end must hash to the commitment that was shown at the
 * beginning, and every roll must follow from it. It mirrors the server's core/dice.py; a test compares the two.
 */
import { blake2b } from '@noble/hashes/blake2.js';

/** A throw as the end of a battle lists it: how many dice, of how many sides, and the faces in order. */
export type Roll = readonly [number: number, sides: number, faces: readonly number[]];

export interface Verdict {
  /** Whether the seed is the one that was promised. */
  promised: boolean;
  /** How many rolls there were. */
  rolls: number;
  /** The rolls that do not follow from the seed, counted from 1. */
  wrong: { count: number; said: readonly number[]; right: readonly number[] }[];
}

const PERSON = padded('grognard-commit', 16);

function padded(word: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(new TextEncoder().encode(word));
  return bytes;
}

/** The bytes of a hexadecimal text; an odd or foreign character is an error. */
export function fromHex(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Error(`“${text}” isn’t a seed: a seed has hexadecimal digits only`);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Bytes as hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The hash that binds a seed without telling it. */
export function commitment(seed: Uint8Array): string {
  return toHex(blake2b(seed, { dkLen: 16, personalization: PERSON }));
}

/** The faces of the count-th roll (from 1): hash bytes, leaving out those that would favour low faces. */
export function fairFaces(seed: Uint8Array, count: number, number: number, sides: number): number[] {
  const fair = 256 - (256 % sides);
  const found: number[] = [];
  if (number < 1) return found;
  for (let block = 0; ; block += 1) {
    const message = new Uint8Array(10);
    const words = new DataView(message.buffer);
    words.setBigUint64(0, BigInt(count));
    words.setUint16(8, block);
    for (const byte of blake2b(message, { key: seed })) {
      if (byte >= fair) continue;
      found.push((byte % sides) + 1);
      if (found.length === number) return found;
    }
  }
}

/** Check a whole battle's dice. */
export function check(seed: string, promised: string, rolls: readonly Roll[]): Verdict {
  const bytes = fromHex(seed);
  const wrong: Verdict['wrong'] = [];
  rolls.forEach(([number, sides, said], index) => {
    const right = fairFaces(bytes, index + 1, number, sides);
    if (said.length !== right.length || said.some((face, at) => face !== right[at])) {
      wrong.push({ count: index + 1, said, right });
    }
  });
  return { promised: commitment(bytes) === promised.toLowerCase(), rolls: rolls.length, wrong };
}

/** The verdict in a sentence. */
export function verdictText(verdict: Verdict): string {
  const { rolls, wrong, promised } = verdict;
  if (!promised) return 'This isn’t the seed promised at the start: its hash is different.';
  if (!wrong.length) {
    if (!rolls) return 'This is the seed promised at the start. No dice were rolled.';
    return rolls === 1
      ? 'The only roll matches the seed promised at the start.'
      : `All ${rolls} rolls match the seed promised at the start.`;
  }
  const which = wrong.slice(0, 8).map((roll) => roll.count).join(', ');
  const more = wrong.length > 8 ? ` and ${wrong.length - 8} more` : '';
  return `${wrong.length} of ${rolls} rolls don’t match the seed: number ${which}${more}.`;
}
