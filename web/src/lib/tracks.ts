/** The tracks of a view sorted for showing: numbers by side in the bar, everything else in a list. */
import type { Track } from './types';

export interface TrackValue {
  /** The side it belongs to, or the name of the figure. */
  name: string;
  side: boolean;
  text: string;
}

export interface TrackLine {
  title: string;
  values: TrackValue[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in words: lists and records one after the other, nothing as a dash. */
export function say(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length ? value.map(say).join(', ') : '–';
  if (isRecord(value)) {
    const parts = Object.entries(value).map(([key, each]) => `${key.replaceAll('_', ' ')} ${say(each)}`);
    return parts.length ? parts.join(', ') : '–';
  }
  return String(value);
}

/** Split tracks: those with one number for every side, and the rest. */
export function sortTracks(
  tracks: Record<string, Track>,
  sides: readonly string[],
): { bar: TrackLine[]; rest: TrackLine[] } {
  const bar: TrackLine[] = [];
  const rest: TrackLine[] = [];
  for (const [title, track] of Object.entries(tracks)) {
    const entries = Object.entries(track);
    if (!entries.length) continue;
    const line = {
      title,
      values: entries.map(([name, value]) => ({ name, side: sides.includes(name), text: say(value) })),
    };
    const plain = entries.every(([name, value]) => sides.includes(name) && typeof value === 'number');
    (plain && entries.length > 1 ? bar : rest).push(line);
  }
  return { bar, rest };
}

/** Short for a title that has to stand in a bar: "Victory Points" → "VP"; one word stays. */
export function initials(title: string): string {
  const words = title.split(/\s+/).filter(Boolean);
  return words.length > 1 ? words.map((word) => word.charAt(0).toUpperCase()).join('') : title;
}

/** The turn in words. Some games count up to the last turn, others down to it: the first moment's turn tells which. */
export function turnWords(turn: number, turns: number, first: number | undefined): string {
  if (turn <= 0) return first ? 'A further turn' : '';
  if (!turns) return `Turn ${turn}`;
  if (turns > 1 && first === turns) return turn === 1 ? 'Turn 1 (the last)' : `Turn ${turn} (${turn} left)`;
  return turn > turns ? `Turn ${turn} (a further turn)` : `Turn ${turn} of ${turns}`;
}

/** What tells how a battle was decided: figures that are not nothing for both, and things that somebody holds. */
export function finalTracks(tracks: Record<string, Track>, sides: readonly string[]): TrackLine[] {
  const { bar, rest } = sortTracks(tracks, sides);
  return [...bar.filter(({ values }) => values.some(({ text }) => text !== '0')), ...rest.filter(({ values }) => values.some(({ text }) => /\p{L}/u.test(text)))];
}
