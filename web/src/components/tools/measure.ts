/** Distances on the board, without any rule: steps between hexes, or units of measure on a table. */
import type { BoardView, HexView, SightEnd } from '../../lib/types';

const indices = new WeakMap<BoardView, Map<string, HexView>>();

function hexes(board: BoardView): Map<string, HexView> {
  let index = indices.get(board);
  if (!index) indices.set(board, (index = new Map(board.hexes.map((hex) => [hex.id, hex]))));
  return index;
}

/** Whether a word names a place of the board. */
export function isPlace(board: BoardView, word: string): boolean {
  return board.hexes.length ? hexes(board).has(word) : /^-?[\d.]+,-?[\d.]+$/.test(word);
}

/** How far it is from one place to the other, on a table in its measure; null where one of them is not on the board. */
export function distance(board: BoardView, from: string, to: string): number | null {
  if (board.hexes.length) {
    const a = hexes(board).get(from);
    const b = hexes(board).get(to);
    if (!a || !b) return null;
    const q = a.q - b.q;
    const r = a.r - b.r;
    return (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2;
  }
  const [ax, ay] = from.split(',').map(Number);
  const [bx, by] = to.split(',').map(Number);
  if ([ax, ay, bx, by].some((value) => value === undefined || Number.isNaN(value))) return null;
  return Math.round(Math.hypot((ax ?? 0) - (bx ?? 0), (ay ?? 0) - (by ?? 0)) * 10) / 10;
}

/** The ground of a place in words. */
export function ground(board: BoardView, place: string): string {
  return hexes(board).get(place)?.text ?? '';
}

type Standing = readonly { id: string; name: string; place: string }[];

export function sameEnd(one: SightEnd | null, other: SightEnd | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What a typed word means: a unit of this name or id before a place; null where it is neither. */
export function meant(board: BoardView, units: Standing, word: string): SightEnd | null {
  const wanted = word.trim().toLowerCase();
  if (!wanted) return null;
  const unit = units.find((each) => each.name.toLowerCase() === wanted) ?? units.find((each) => each.id === word.trim());
  if (unit) return { unit: unit.id };
  const place = board.hexes.length ? board.hexes.find((each) => each.id.toLowerCase() === wanted)?.id : isPlace(board, wanted) ? wanted : '';
  return place ? { place } : null;
}

/** Where an end lies: the place itself, or where the unit stands. */
export function placeOf(units: Standing, end: SightEnd | null): string {
  if (!end) return '';
  return 'place' in end ? end.place : (units.find((unit) => unit.id === end.unit)?.place ?? '');
}

/** An end as people write it: the unit's name, or the place. */
export function endText(units: Standing, end: SightEnd | null): string {
  if (!end) return '';
  return 'place' in end ? end.place : (units.find((unit) => unit.id === end.unit)?.name ?? '');
}
