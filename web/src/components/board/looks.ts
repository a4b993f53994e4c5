/** Looks for words, from the data files beside this: what a marker of a kind is drawn as, and how a state shows. */
import markers from './markers.json';
import states from './states.json';
import type { MarkerView, ModelView, UnitView } from '../../lib/types';

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
const SHAPES = new Map<string, string>(Object.entries(states.shapes));

/** The shapes that stand before the word of a badge, in a box from -1 to 1. */
const BADGE_PATHS: Record<string, string> = {
  dot: 'M-.6 0a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0Z',
  triangle: 'M0-.9L.95 .75H-.95Z',
  diamond: 'M0-1L.8 0L0 1L-.8 0Z',
  cross: 'M-.9-.55L-.55-.9L0-.35L.55-.9L.9-.55L.35 0L.9 .55L.55 .9L0 .35L-.55 .9L-.9 .55L-.35 0Z',
  trench: 'M-1-.5H-.6V.35H.6V-.5H1V.75H-1Z',
  tick: 'M-.95 .05L-.6-.3L-.2 .15L.6-.75L.95-.4L-.2 .85Z',
  bars: 'M-.9-.8H.9V-.4H-.9ZM-.9-.2H.9V.2H-.9ZM-.9 .4H.9V.8H-.9Z',
  eye: 'M-1 0Q0-1.1 1 0Q0 1.1-1 0ZM-.32 0a.32 .32 0 1 0 .64 0a.32 .32 0 1 0-.64 0Z',
  star: 'M0-1L.26-.34L.95-.31L.42 .13L.59 .81L0 .42L-.59 .81L-.42 .13L-.95-.31L-.26-.34Z',
};

/** A badge of a single model: its word, and the shape of the state that it is short for, as path data. */
export interface ModelBadge {
  word: string;
  title: string;
  shape: string;
  path: string;
}

/** The badges of a single model; each is short for the state in the same place of its list. */
export function modelBadges({ badges, states: own }: Pick<ModelView, 'badges' | 'states'>): ModelBadge[] {
  return badges.map((word, i) => {
    const title = own[i] ?? word;
    const shape = SHAPES.get(title.toLowerCase()) ?? 'dot';
    return { word, title, shape, path: BADGE_PATHS[shape]! };
  });
}

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

/** Whether a marker is what is fought for: then units never cover its name. */
export function isGoal({ kind }: MarkerView): boolean {
  return kind === 'objective';
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

/** What is written across a counter, and how far it is tilted, in degrees. */
export interface Band {
  word: string;
  look: 'bad' | 'worst';
  tilt: number;
}

const BANDS = new Map<string, string>(Object.entries(states.bands));
const TILTS = { bad: -5, worst: -11 } as const;

/** The worst state of a unit that is seen from afar; null for none. */
export function bandOf({ states: own }: Pick<UnitView, 'states'>): Band | null {
  const known = own.filter((state) => BANDS.has(state.toLowerCase()));
  const word = known.find((state) => BANDS.get(state.toLowerCase()) === 'worst') ?? known[0];
  if (word === undefined) return null;
  const look = BANDS.get(word.toLowerCase()) === 'worst' ? 'worst' : 'bad';
  return { word, look, tilt: TILTS[look] };
}

export function isUnseen(unit: UnitView): boolean {
  return unit.states.some((state) => UNSEEN.has(state));
}

/** A counter in words, for screen readers and as a tooltip: name, side, place, states, values; `host` is the name of what it goes with. */
export function unitWords(unit: UnitView, more: readonly string[] = [], where = '', host = ''): string {
  const at = where || (unit.place ? `at ${unit.place}` : 'off the map');
  const goes = unit.with_unit ? `with ${host || 'another unit'}` : '';
  const facing = unit.facing ? `facing ${unit.facing}` : '';
  const words = [unit.name || unit.id, unit.side, at, goes, facing, ...unit.states, unit.values, ...more];
  return words.filter(Boolean).join(', ');
}

/** The size of a text that must fit a width, at about 0.58 of its size for each letter. */
export function fitted(text: string, size: number, width: number): number {
  return Math.min(size, width / (0.58 * Math.max(1, text.length)));
}
