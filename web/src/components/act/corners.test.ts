import { describe, expect, it } from 'vitest';
import { chipPlace } from './corners';

describe('the chip of a choice', () => {
  const map = { width: 1000, height: 800 };
  const chip = { width: 320, height: 130 };
  const at = { x: 500, y: 400 };

  it('lies below its hex, or above it where the way comes from below', () => {
    expect(chipPlace(at, map, chip, [])).toEqual({ x: 500, y: 505 });
    expect(chipPlace(at, map, chip, [], { x: 500, y: 600 })).toEqual({ x: 500, y: 295 });
  });

  it('covers no unit where there is room elsewhere', () => {
    const enemies = [{ x: 560, y: 500 }, { x: 620, y: 540 }];
    expect(chipPlace(at, map, chip, enemies)).toEqual({ x: 500, y: 295 });
    expect(chipPlace(at, map, chip, [...enemies, { x: 480, y: 300 }])).toEqual({ x: 700, y: 400 });
  });

  it('stays on the map, and never on its own hex', () => {
    const place = chipPlace({ x: 990, y: 790 }, map, chip, []);
    expect(place).toEqual({ x: 832, y: 685 });
    expect(Math.abs(790 - place.y)).toBeGreaterThan(chip.height / 2);
  });
});
