import { describe, expect, it } from 'vitest';
import { isNews, newsOf, paces, shotsOf } from './news';
import type { LogLine, UnitView } from './types';

const line = (text: string, more: Partial<LogLine> = {}): LogLine => ({
  text, side: 'red', rules: [], faces: [], dice: '', tallies: [], kind: 'Told', units: [], places: [], chance: 0, ...more,
});
const unit = (id: string, side: string, place: string): UnitView => ({ id, side, place }) as UnitView;

describe('news', () => {
  it('tells what is about units or dice before sums of points', () => {
    const lines = [line('red spends a point'), line('r1 fires at b1', { units: ['r1', 'b1'] }), line('rolled', { faces: [3] })];
    expect(newsOf(lines).map(({ text }) => text)).toEqual(['r1 fires at b1', 'rolled']);
    expect(newsOf(lines.slice(0, 1))).toHaveLength(1);
  });

  it('leaves out answers, and what one did oneself without dice is no news', () => {
    expect(newsOf([line('red: pass', { kind: 'Asked' })])).toEqual([]);
    expect(isNews([line('r1 moves', { units: ['r1'] })], 'red')).toBe(false);
    expect(isNews([line('r1 moves', { units: ['r1'] })], 'blue')).toBe(true);
    expect(isNews([line('r1 rallies', { faces: [2, 2] })], 'red')).toBe(true);
  });

  it('gives more time to more lines, but not without end', () => {
    const many = Array.from({ length: 9 }, () => line('rolled', { faces: [1] }));
    expect(paces(many.slice(0, 1))).toBe(1);
    expect(paces(many.slice(0, 3))).toBeGreaterThan(paces(many.slice(0, 2)));
    expect(paces(many)).toBeLessThanOrEqual(3);
  });

  it('draws a shot from the side that acts to the other, once, and none within a hex', () => {
    const units = [unit('r1', 'red', 'A1'), unit('b1', 'blue', 'C3'), unit('b2', 'blue', 'A1'), unit('b3', 'blue', '')];
    const fire = line('r1 fires at b1', { units: ['r1', 'b1'] });
    expect(shotsOf([fire, fire], units, '7')).toEqual([{ from: 'A1', to: 'C3', name: '7 A1 C3' }]);
    expect(shotsOf([line('melee', { units: ['r1', 'b2', 'b3', 'gone'] })], units, '')).toEqual([]);
  });
});
