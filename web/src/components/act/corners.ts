/** Where a card lies over the map without hiding what it speaks of. */

export interface Spot {
  x: number;
  y: number;
  /** How bad it is to hide it. */
  weight: number;
}

export type Corner = 'top left' | 'top right' | 'bottom left' | 'bottom right';

const CORNERS: readonly Corner[] = ['top left', 'top right', 'bottom left', 'bottom right'];

/** The corner of a box in which a card hides least; of equals the first. `floor` is what is covered below already. */
export function freeCorner(
  box: { width: number; height: number },
  card: { width: number; height: number },
  spots: readonly Spot[],
  floor = 0,
): Corner {
  const bottom = box.height - floor;
  const hidden = (corner: Corner): number => {
    const left = corner.endsWith('left') ? 0 : box.width - card.width;
    const top = corner.startsWith('top') ? 0 : bottom - card.height;
    const over = spots.filter((s) => s.x >= left && s.x <= left + card.width && s.y >= top && s.y <= top + card.height);
    return over.reduce((sum, spot) => sum + spot.weight, top < 0 ? 1000 : 0);
  };
  return CORNERS.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
}

interface Point {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** How far from the middle of its hex a chip keeps, and how near to its rim something is covered by it, in pixels. */
const CLEAR = 40;
const NEAR = 22;

/**
 * Where the middle of a chip goes that belongs to a spot of the map: below it, above it or beside it, within the map,
 * where it covers fewest of the points that are to be seen; of two that are equal on the side that `from` is not.
 */
export function chipPlace(at: Point, map: Size, chip: Size, seen: readonly Point[], from: Point | null = null): Point {
  const [half, tall] = [chip.width / 2, chip.height / 2];
  const [down, across] = [tall + CLEAR, half + CLEAR];
  const upright = from && from.y > at.y ? [-down, down] : [down, -down];
  const aside = from && from.x > at.x ? [-across, across] : [across, -across];
  const tried = [
    ...upright.map((y) => ({ x: at.x, y: at.y + y })),
    ...aside.map((x) => ({ x: at.x + x, y: at.y })),
    ...upright.flatMap((y) => aside.map((x) => ({ x: at.x + x, y: at.y + y }))),
  ].map(({ x, y }) => ({
    x: Math.min(Math.max(x, half + 8), map.width - half - 8),
    y: Math.min(Math.max(y, tall + 8), map.height - tall - 8),
  }));
  const covers = (middle: Point, point: Point): boolean => Math.abs(point.x - middle.x) < half + NEAR && Math.abs(point.y - middle.y) < tall + NEAR;
  const cost = (middle: Point): number => (covers(middle, at) ? 10 : 0) + seen.filter((point) => covers(middle, point)).length;
  return tried.reduce((best, next) => (cost(next) < cost(best) ? next : best));
}
