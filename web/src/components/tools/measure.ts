/** Distances on the board, without any rule: steps between hexes, or units of measure on a table. */
import type { BoardView, HexView } from '../../lib/types';

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

/** A typed word as the server knows it: a place or a unit's id; as it is where nothing of the board is meant. */
export function meant(board: BoardView, units: readonly { id: string; name: string }[], word: string): string {
  const wanted = word.trim().toLowerCase();
  const hex = board.hexes.find((each) => each.id.toLowerCase() === wanted);
  const unit = units.find((each) => each.id.toLowerCase() === wanted || each.name.toLowerCase() === wanted);
  return hex?.id ?? unit?.id ?? word.trim();
}

/** The place that a typed word means: a place, or where a unit of this id or name stands. */
export function placeOf(
  board: BoardView,
  units: readonly { id: string; name: string; place: string }[],
  word: string,
): string {
  const wanted = word.trim().toLowerCase();
  if (!wanted) return '';
  const hex = board.hexes.find((each) => each.id.toLowerCase() === wanted);
  if (hex) return hex.id;
  if (!board.hexes.length && isPlace(board, wanted)) return wanted;
  const unit = units.find((each) => each.id.toLowerCase() === wanted || each.name.toLowerCase() === wanted);
  return unit?.place ?? '';
}
