/** What the battle's dice have shown so far. Only the battle's own dice: nothing is rolled here. */
import { isRoll } from './log';
import type { LogLine } from './types';

export interface Pool {
  number: number;
  sides: number;
  add: number;
}

/** Read a throw such as "2d6+3"; null where it is no such thing. */
export function pool(notation: string): Pool | null {
  const found = /^(\d+)d(\d+)(?:([+-])(\d+))?$/.exec(notation.replace(/\s/g, ''));
  if (!found) return null;
  const add = Number(found[4] ?? 0);
  return { number: Number(found[1]), sides: Number(found[2]), add: found[3] === '-' ? -add : add };
}

/** How likely each sum of some dice is, from the least to the greatest. */
export function sums(number: number, sides: number): number[] {
  let ways = [1];
  for (let die = 0; die < number; die += 1) {
    const next = new Array<number>(ways.length + sides - 1).fill(0);
    ways.forEach((count, at) => {
      for (let face = 0; face < sides; face += 1) next[at + face] = (next[at + face] ?? 0) + count / sides;
    });
    ways = next;
  }
  return ways;
}

/** The sums that one side threw with one kind of dice, against what was to be expected. */
export interface Spread {
  side: string;
  dice: string;
  rolls: number;
  least: number;
  counts: number[];
  expected: number[];
  mean: number;
  meanExpected: number;
}

/** The distribution of every side's throws so far, by the number and the sides of the dice. */
export function spreads(lines: readonly LogLine[]): Spread[] {
  const found = new Map<string, Spread>();
  for (const line of lines) {
    const thrown = pool(line.dice);
    if (!isRoll(line) || !thrown || !line.faces.length) continue;
    const { number, sides } = thrown;
    if (line.faces.length !== number) continue;
    const dice = `${number}d${sides}`;
    const key = `${line.side} ${dice}`;
    let spread = found.get(key);
    if (!spread) {
      const counts = new Array<number>(number * (sides - 1) + 1).fill(0);
      spread = {
        side: line.side,
        dice,
        rolls: 0,
        least: number,
        counts,
        expected: [],
        mean: 0,
        meanExpected: (number * (sides + 1)) / 2,
      };
      found.set(key, spread);
    }
    const sum = line.faces.reduce((a, b) => a + b, 0);
    spread.counts[sum - number] = (spread.counts[sum - number] ?? 0) + 1;
    spread.rolls += 1;
    spread.mean += sum;
  }
  for (const spread of found.values()) {
    const thrown = pool(spread.dice);
    if (!thrown) continue;
    spread.mean /= spread.rolls;
    spread.expected = sums(thrown.number, thrown.sides).map((chance) => chance * spread.rolls);
  }
  return [...found.values()].sort(
    (a, b) => a.side.localeCompare(b.side) || b.rolls - a.rolls || a.dice.localeCompare(b.dice),
  );
}

/** The last rolls, the newest first, each with its number in the log. */
export function lastRolls(lines: readonly LogLine[], most: number): { index: number; line: LogLine }[] {
  const found: { index: number; line: LogLine }[] = [];
  for (let index = lines.length - 1; index >= 0 && found.length < most; index -= 1) {
    const line = lines[index];
    if (line && isRoll(line) && line.faces.length) found.push({ index, line });
  }
  return found;
}
