import { describe, expect, it } from 'vitest';
import { CORNER, fitIn, viewOf, type Look } from './camera';

const WINDOW = { width: 1000, height: 800 };

describe('the fit', () => {
  it('leaves the corner with the buttons free, and else nothing', () => {
    const plain = fitIn(1000, 800, 1200, 950);
    const beside = fitIn(1000, 800, 1200, 950, CORNER);
    expect(beside.k).toBeLessThan(plain.k);
    const right = beside.x + 1200 * beside.k;
    const bottom = beside.y + 950 * beside.k;
    expect(right <= 1000 - CORNER.width || bottom <= 800 - CORNER.height).toBe(true);
    expect(fitIn(1000, 800, 300, 800, CORNER)).toEqual(fitIn(1000, 800, 300, 800));
  });
});

describe('what is brought into sight', () => {
  const now: Look = { k: 1, x: 0, y: 0 };
  const seen = (look: Look, points: { x: number; y: number }[], below: number): boolean =>
    points.every(({ x, y }) => {
      const at = { x: x * look.k + look.x, y: y * look.k + look.y };
      return at.x >= 0 && at.y >= 0 && at.x <= 1000 && at.y <= 800 - below;
    });

  it('moves nothing that is in sight, and nothing for places that are none', () => {
    expect(viewOf([{ x: 500, y: 400 }], now, WINDOW, 50, 0, 0.5)).toBeNull();
    expect(viewOf([{ x: NaN, y: 4 }], now, WINDOW, 50, 0, 0.5)).toBeNull();
    expect(viewOf([], now, WINDOW, 50, 0, 0.5)).toBeNull();
  });

  it('moves no farther than is needed out from under what covers the map', () => {
    const look = viewOf([{ x: 500, y: 700 }], now, WINDOW, 50, 300, 0.5)!;
    expect(look).toEqual({ k: 1, x: 0, y: -250 });
  });

  it('zooms out where two places need it, and no farther than it may', () => {
    const points = [
      { x: 200, y: 100 },
      { x: 600, y: 760 },
    ];
    const look = viewOf(points, now, WINDOW, 40, 350, 0.3)!;
    expect(look.k).toBeLessThan(1);
    expect(seen(look, points, 350)).toBe(true);
    expect(viewOf(points, now, WINDOW, 40, 350, 0.8)!.k).toBe(0.8);
  });
});
