/** What is under the pointer, in words at the corner of the map. */
import type { Grid } from '../../lib/hex';
import type { Ghost } from '../../lib/layers';
import { measured, placeText } from '../../lib/lengths';
import type { BoardView, UnitView } from '../../lib/types';

/** A place: on a table how far from its edges, on a map its name and its ground. */
export function pointWords(place: string, grid: Grid, board: BoardView): string {
  return board.table ? placeText(place, board) : [place, grid.ground(place)].filter(Boolean).join(' · ');
}

/** Where a unit that is dragged is, and how far from where it stands. */
export function dragWords({ x, y, unit }: Ghost, units: readonly UnitView[], grid: Grid, board: BoardView): string {
  const at = placeText(`${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`, board);
  const home = grid.point(units.find((each) => each.id === unit)?.place ?? '');
  const far = home ? Math.hypot(x - home.x / board.step, y - home.y / board.step) : null;
  return [at, far === null ? '' : `${measured(far, board.measure)} from where it stands`].filter(Boolean).join(' · ');
}
