/** Where counters lie: stacks that lean when closed, and spread when open, so that each can be clicked. */
import type { Grid, Point } from '../../lib/hex';
import { inchOf } from '../../lib/lengths';
import type { UnitView } from '../../lib/types';

/** The edge of a counter as a part of a step of the board. */
export const EDGE = 0.62;
/** The edge of a counter on a table, in inches. */
export const TABLE_EDGE = 2;
/** A counter that goes with or in another is drawn this small. */
const TUCKED = 0.74;

/** A counter's place in its stack: from the stack's middle, in pixels of the sheet. */
export interface Spot {
  unit: UnitView;
  dx: number;
  dy: number;
  scale: number;
  /** What lies higher covers what lies lower. */
  z: number;
  /** It goes with or in another counter of the stack. */
  tucked: boolean;
}

/** All counters of one place, the lowest first. */
export interface Stack extends Point {
  place: string;
  spots: Spot[];
}

/** The stacks of a board by place; counters without a place on it are left out. */
export function findStacks(units: readonly UnitView[], grid: Grid): Stack[] {
  const places = new Map<string, UnitView[]>();
  for (const unit of units) {
    if (!unit.place) continue;
    const found = places.get(unit.place);
    if (found) found.push(unit);
    else places.set(unit.place, [unit]);
  }
  const stacks: Stack[] = [];
  for (const [place, here] of places) {
    const middle = grid.point(place);
    if (middle) stacks.push({ place, x: middle.x, y: middle.y, spots: closed(here, stepOf(grid)) });
  }
  return stacks;
}

/** The step of the board that counters are measured by. */
function stepOf({ board }: Grid): number {
  return board.table ? (board.step * inchOf(board.measure) * TABLE_EDGE) / EDGE : board.step;
}

/** A closed stack: it leans evenly to both sides of the middle; what goes with another peeps out below it. */
function closed(units: readonly UnitView[], step: number): Spot[] {
  const ids = new Set(units.map((unit) => unit.id));
  const sorted = [...units].sort((a, b) => a.stack - b.stack || (a.id < b.id ? -1 : 1));
  const hosts = sorted.filter((unit) => !goesWith(unit, ids));
  // Units that go with each other in a circle have no host; then all stand for themselves.
  const standing = hosts.length ? hosts : sorted;
  const lean = step * Math.min(0.12, 0.3 / Math.max(standing.length - 1, 1));
  const spots: Spot[] = [];
  standing.forEach((unit, i) => {
    const shift = lean * (i - (standing.length - 1) / 2);
    const guests = hosts.length ? sorted.filter((each) => each !== unit && each.with_unit === unit.id) : [];
    guests.forEach((guest, n) => {
      const left = n % 2 === 0 ? -1 : 1;
      const dx = shift + left * step * EDGE * 0.36;
      const dy = -shift + step * EDGE * (0.3 + 0.08 * Math.floor(n / 2));
      spots.push({ unit: guest, dx, dy, scale: TUCKED, z: spots.length, tucked: true });
    });
    spots.push({ unit, dx: shift, dy: -shift, scale: 1, z: spots.length, tucked: false });
  });
  // A guest of a guest, or of one that is not here, still has to lie somewhere.
  const laid = new Set(spots.map((spot) => spot.unit.id));
  for (const unit of sorted) {
    if (laid.has(unit.id)) continue;
    spots.push({ unit, dx: 0, dy: step * EDGE * 0.4, scale: TUCKED, z: -1, tucked: true });
  }
  return spots;
}

function goesWith(unit: UnitView, ids: ReadonlySet<string>): boolean {
  return unit.with_unit !== '' && unit.with_unit !== unit.id && ids.has(unit.with_unit);
}

/** A stack as it lies now: with a tray where it is open. */
export interface Laid {
  stack: Stack;
  spots: Spot[];
  tray: Bounds | null;
}

/** An open stack: its counters in rows on a tray. */
export interface Fan {
  spots: Spot[];
  /** The tray's box, from the stack's middle. */
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A part of the sheet, in its pixels. */
export interface Bounds {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A stack spread out, the top one first and where it was, so that who is about to click it still hits it.
 * ``grow`` makes the counters larger where the map is far away; the tray is kept within the bounds, or on the sheet.
 */
export function fan(stack: Stack, grid: Grid, grow = 1, bounds?: Bounds): Fan {
  const step = stepOf(grid);
  const { left, top, width, height } = bounds ?? { left: 0, top: 0, ...sheetSize(grid) };
  const count = stack.spots.length;
  const columns = count <= 4 ? count : Math.ceil(count / Math.ceil(count / 4));
  const rows = Math.ceil(count / columns);
  const gap = step * EDGE * 1.16 * grow;
  const rim = step * EDGE * 0.16 * grow;
  const box = { width: columns * gap + 2 * rim, height: rows * gap + 2 * rim };
  const middle = {
    x: clamp(stack.x + ((columns - 1) / 2) * gap, left + box.width / 2, left + width - box.width / 2),
    y: clamp(stack.y + ((rows - 1) / 2) * gap, top + box.height / 2, top + height - box.height / 2),
  };
  const spots = [...stack.spots].sort((a, b) => b.z - a.z);
  const laid = spots.map((spot, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    return {
      ...spot,
      scale: grow,
      dx: middle.x - stack.x + ((i % columns) - (inRow - 1) / 2) * gap,
      dy: middle.y - stack.y + (row - (rows - 1) / 2) * gap,
    };
  });
  // In the order of the closed stack: nodes that stay where they are keep the keyboard's focus.
  laid.sort((a, b) => a.z - b.z);
  return { spots: laid, left: middle.x - stack.x - box.width / 2, top: middle.y - stack.y - box.height / 2, ...box };
}

function sheetSize({ board: { width, height } }: Grid): { width: number; height: number } {
  return { width, height };
}

function clamp(value: number, low: number, high: number): number {
  return low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high);
}

/** The counter next to one in a direction, for the arrow keys: near and not far off the way. */
export function nextInDirection(
  from: Point,
  others: Iterable<[string, Point]>,
  direction: 'left' | 'right' | 'up' | 'down',
): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const [id, { x, y }] of others) {
    const along = { left: from.x - x, right: x - from.x, up: from.y - y, down: y - from.y }[direction];
    const aside = Math.abs(direction === 'left' || direction === 'right' ? y - from.y : x - from.x);
    if (along <= 0.5 || aside > along * 2.5) continue;
    const cost = along + aside * 2;
    if (cost < least) [best, least] = [id, cost];
  }
  return best;
}
