import { describe, expect, it } from 'vitest';
import { board } from '../../lib/normalise-battle';
import { distance, ground, isPlace, meant, placeOf } from './measure';

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
    const units = [{ id: 'g1', name: 'Squad g1', place: 'B2' }];
    expect(['a1', 'G1', 'squad G1', 'nobody', ' '].map((word) => placeOf(HEXES, units, word))).toEqual(['A1', 'B2', 'B2', '', '']);
    expect(['a1', 'squad g1', ' x '].map((word) => meant(HEXES, units, word))).toEqual(['A1', 'g1', 'x']);
    expect(placeOf(TABLE, [], '3,4')).toBe('3,4');
  });
});
