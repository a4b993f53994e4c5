import { describe, expect, it } from 'vitest';
import { board } from '../../lib/normalise-battle';
import { distance, endText, ground, isPlace, meant, placeOf } from './measure';

const HEXES = board({
  step: 10,
  hexes: [
    { id: 'A1', q: 0, r: 0, x: 0, y: 0, text: 'woods' },
    { id: 'B2', q: 1, r: 1, x: 0, y: 0 },
    { id: 'C1', q: 2, r: -1, x: 0, y: 0 },
  ],
});
const TABLE = board({ step: 20, measure: 'inches' });

describe('measuring', () => {
  it('counts hexes', () => {
    expect(distance(HEXES, 'A1', 'B2')).toBe(2);
    expect(distance(HEXES, 'A1', 'C1')).toBe(2);
    expect(distance(HEXES, 'A1', 'A1')).toBe(0);
    expect(distance(HEXES, 'A1', 'Z9')).toBeNull();
    expect(ground(HEXES, 'A1')).toBe('woods');
  });

  it('measures a table', () => {
    expect(distance(TABLE, '0,0', '3,4.2')).toBe(5.2);
    expect(distance(TABLE, '0,0', 'A1')).toBeNull();
    expect([isPlace(TABLE, '3,4'), isPlace(TABLE, 'A1'), isPlace(HEXES, 'A1')]).toEqual([true, false, true]);
  });

  it('understands what is typed', () => {
    const units = [{ id: 'c1', name: 'Rifle Squad 2', place: 'B2' }];
    const words = ['a1', 'C1', 'c1', 'rifle squad 2', 'nobody', ' '];
    const unit = { unit: 'c1' };
    expect(words.map((word) => meant(HEXES, units, word))).toEqual([{ place: 'A1' }, { place: 'C1' }, unit, unit, null, null]);
    expect([unit, { place: 'C1' }, null].map((end) => placeOf(units, end))).toEqual(['B2', 'C1', '']);
    expect([unit, { place: 'C1' }, null].map((end) => endText(units, end))).toEqual(['Rifle Squad 2', 'C1', '']);
    expect(meant(TABLE, [], '3,4')).toEqual({ place: '3,4' });
  });
});
