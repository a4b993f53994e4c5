import { describe, expect, it } from 'vitest';
import { rosterOf, strengthOf } from './roster';
import type { UnitView } from './types';

const unit = (id: string, side: string, place = '', more: Partial<UnitView> = {}): UnitView => ({ id, side, place, with_unit: '', values: '', ...more }) as UnitView;

describe('the roster', () => {
  it('has one side alone, who can act first and who is not on the map last', () => {
    const units = [unit('b1', 'blue'), unit('b2', 'blue', 'A1'), unit('r1', 'red', 'A2'), unit('b3', 'blue', 'A3'), unit('b4', 'blue', '', { with_unit: 'b3' })];
    expect(rosterOf(units, 'blue', new Set(['b3'])).map(({ id }) => id)).toEqual(['b3', 'b2', 'b4', 'b1']);
    expect(rosterOf(units, 'green', new Set())).toEqual([]);
  });

  it('tells what is left, and the hex of a map of hexes', () => {
    expect(strengthOf(unit('b1', 'blue', 'A1', { values: '4-6-4' }), false)).toBe('4-6-4 · A1');
    expect(strengthOf(unit('b1', 'blue', '12,3', { values: '7/8' }), true)).toBe('7/8');
  });
});
