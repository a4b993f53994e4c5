import { openingOn, shareSeen } from './camera';
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

describe('a large board', () => {
  const window = { width: 800, height: 600 };
  const whole = { k: 0.1, x: 0, y: 0 };

  it('opens on what matters, near enough to be read', () => {
    const look = openingOn([{ x: 1000, y: 1000 }, { x: 1400, y: 1200 }], whole, window, 100)!;
    expect(look.k * 100).toBe(46);
    expect([1200 * look.k + look.x, 1100 * look.k + look.y]).toEqual([400, 300]);
  });

  it('shows more where what matters is far apart, and never less than the whole would be', () => {
    const look = openingOn([{ x: 0, y: 0 }, { x: 2900, y: 0 }], whole, window, 100)!;
    expect(look.k).toBeCloseTo(0.25);
    expect(openingOn([{ x: 0, y: 0 }, { x: 90_000, y: 0 }], whole, window, 100)!.k).toBe(0.1);
  });

  it('is shown whole where that can be read, or nobody is on it', () => {
    expect(openingOn([{ x: 1, y: 1 }], { ...whole, k: 0.3 }, window, 100)).toBeNull();
    expect(openingOn([], whole, window, 100)).toBeNull();
  });

  it('knows how much of it is seen', () => {
    expect(shareSeen({ left: -50, top: -50, width: 1000, height: 1000 }, 100, 100)).toBe(1);
    expect(shareSeen({ left: 50, top: 0, width: 100, height: 50 }, 100, 100)).toBe(0.25);
    expect(shareSeen({ left: 200, top: 0, width: 100, height: 50 }, 100, 100)).toBe(0);
  });
});
