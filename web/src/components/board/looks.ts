/** Looks for words, from the data files beside this: what a marker of a kind is drawn as, and how a state shows. */
import markers from './markers.json';
import states from './states.json';
import type { MarkerView, UnitView } from '../../lib/types';

export interface Shape {
  d: string;
  fill?: string;
  /** Instead of "side" where the marker is nobody's. */
  else?: string;
  stroke?: string;
  width?: number;
  opacity?: number;
}

export interface MarkerLook {
  title: string;
  area?: boolean;
  shapes: Shape[];
}

const LOOKS = new Map<string, MarkerLook>(
  Object.entries<unknown>(markers).filter((entry): entry is [string, MarkerLook] => typeof entry[1] === 'object'),
);
const SPENT = new Set(states.spent);
const UNSEEN = new Set(states.unseen);

/** The drawing of a kind, of its plural or singular, or of its last word; null for a word without one. */
export function markerLook(kind: string): MarkerLook | null {
  const words = kind.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_').split('_');
  for (const word of [words.join('_'), ...words.reverse()]) {
    for (const spelling of [word, `${word}s`, word.replace(/s$/, ''), word.replace(/es$/, '')]) {
      const found = LOOKS.get(spelling);
      if (found) return found;
    }
  }
  return null;
}

/** A marker in words: its kind, its owner, and what is written on it. */
export function markerWords({ kind, side, text }: MarkerView): string {
  const title = markerLook(kind)?.title ?? kind.replaceAll('_', ' ');
  const words = [title];
  if (text && text.toLowerCase() !== title.toLowerCase()) words.push(text);
  if (side && side !== text) words.push(side);
  return words.join(', ');
}

/** What is written on a marker's label: nothing where the drawing says it all. */
export function markerLabel({ kind, text }: MarkerView): string {
  const look = markerLook(kind);
  if (text) return text;
  return look ? '' : kind.replaceAll('_', ' ');
}

export function isSpent(unit: UnitView): boolean {
  return unit.states.some((state) => SPENT.has(state));
}

export function isUnseen(unit: UnitView): boolean {
  return unit.states.some((state) => UNSEEN.has(state));
}

/** A counter in words, for screen readers and as a tooltip: name, side, place, states, values. */
export function unitWords(unit: UnitView, more: readonly string[] = [], where = ''): string {
  const at = where || (unit.place ? `at ${unit.place}` : 'off the map');
  const goes = unit.with_unit ? `with ${unit.with_unit}` : '';
  const facing = unit.facing ? `facing ${unit.facing}` : '';
  const words = [unit.name || unit.id, unit.side, at, goes, facing, ...unit.states, unit.values, ...more];
  return words.filter(Boolean).join(', ');
}

/** The size of a text that must fit a width, at about 0.58 of its size for each letter. */
export function fitted(text: string, size: number, width: number): number {
  return Math.min(size, width / (0.58 * Math.max(1, text.length)));
}
