/** Where markers lie: over the whole hex, in its middle, at its corners where counters stand, or along a hexside. */
import type { Grid } from '../../lib/hex';
import type { MarkerView } from '../../lib/types';
import { isGoal, markerLook } from './looks';

export interface Mark {
  id: string;
  marker: MarkerView;
  x: number;
  y: number;
  size: number;
  turn: number;
  /** It lies beside counters, over them. */
  beside: boolean;
}

/** Beside a counter: from the middle of the hex, in steps. */
const CORNERS = [
  [-0.41, 0.2],
  [0.41, 0.2],
  [-0.43, -0.1],
  [0.43, -0.1],
] as const;

/** Every marker with its place on the sheet; those without one are left out. */
export function layMarkers(markers: readonly MarkerView[], taken: ReadonlySet<string>, grid: Grid): Mark[] {
  // A sign on a table is as large as on a map whose hexes are a few measures wide.
  const step = grid.board.step * (grid.hexed ? 1 : 4);
  const counts = new Map<string, number>();
  const rows = new Map<string, number>();
  const solid = (marker: MarkerView) => !markerLook(marker.kind)?.area;
  for (const marker of markers) if (solid(marker)) rows.set(marker.place, (rows.get(marker.place) ?? 0) + 1);
  return markers.flatMap((marker, i) => {
    const middle = grid.point(marker.place);
    if (!middle) return [];
    const mark = { id: `${marker.kind} ${marker.place} ${i}`, marker, ...middle, turn: 0, beside: false };
    const side = marker.place.includes('|') ? grid.side(marker.place) : null;
    if (side) return { ...mark, x: side.x, y: side.y, size: step * 0.44, turn: side.angle };
    if (!solid(marker)) return { ...mark, size: step };
    const n = counts.get(marker.place) ?? 0;
    counts.set(marker.place, n + 1);
    if (taken.has(marker.place)) {
      const [dx, dy] = CORNERS[n % CORNERS.length]!;
      // What is fought for is found at once, whoever stands there.
      return { ...mark, x: middle.x + dx * step, y: middle.y + dy * step, size: step * (isGoal(marker) ? 0.36 : 0.27), beside: true };
    }
    const row = rows.get(marker.place)!;
    const size = step * Math.min(0.48, 0.9 / row);
    return { ...mark, x: middle.x + (n - (row - 1) / 2) * size * 1.1, y: middle.y - step * 0.08, size };
  });
}
