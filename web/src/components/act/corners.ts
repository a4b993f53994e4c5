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
