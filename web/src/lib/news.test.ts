import { describe, expect, it } from 'vitest';
import { fallenOf, isNews, newsOf, paces, shotsOf, showsOwn } from './news';
import type { LogLine, UnitView } from './types';

const line = (text: string, more: Partial<LogLine> = {}): LogLine => ({
  text, side: 'red', rules: [], faces: [], dice: '', tallies: [], kind: 'Told', units: [], places: [], chance: 0, turn: 0, meaning: '', needed: '', total: 0, whom: '', change: '', harm: false, fatal: false, ...more,
});
const unit = (id: string, side: string, place: string): UnitView => ({ id, side, place }) as UnitView;

describe('news', () => {
  it('tells what is about units or dice before sums of points', () => {
    const lines = [line('red spends a point'), line('r1 fires at b1', { units: ['r1', 'b1'] }), line('rolled', { faces: [3] })];
    expect(newsOf(lines).map(({ text }) => text)).toEqual(['r1 fires at b1', 'rolled']);
    expect(newsOf(lines.slice(0, 1))).toHaveLength(1);
    const drawn = [line('Initiative: 2d6 (1 6) → 7', { faces: [1, 6] }), line('red begins'), line('Turn 1: Play', { side: '' })];
    expect(newsOf(drawn).map(({ text }) => text)).toEqual(['red begins']);
  });

  it('leaves out answers, and what one did oneself without dice is no news', () => {
    expect(newsOf([line('red: pass', { kind: 'Asked' })])).toEqual([]);
    expect(isNews([line('r1 moves', { units: ['r1'] })], 'red')).toBe(false);
    expect(isNews([line('r1 moves', { units: ['r1'] })], 'blue')).toBe(true);
    expect(isNews([line('r1 rallies', { faces: [2, 2] })], 'red')).toBe(true);
  });

  it('tells what came of an attack: what befell others, or how the last dice fell', () => {
    const shot = [
      line('r1 is revealed', { units: ['r1'] }),
      line('r1 fires at b1', { units: ['r1', 'b1'] }),
      line('To hit: hit', { units: ['b1'], faces: [4] }),
      line('r1 has acquired b1', { units: ['r1', 'b1'] }),
      line('Gut check: passed', { units: ['b1'], side: 'blue', faces: [5] }),
      line('r1 is marked Fired', { units: ['r1'] }),
    ];
    expect(newsOf(shot, 'red').map(({ text }) => text)).toEqual(['Gut check: passed']);
    expect(newsOf(shot, 'blue').map(({ text }) => text)).toEqual(['r1 fires at b1', 'Gut check: passed']);
    const hit = [...shot.slice(0, 5), line('b1 is shaken', { units: ['b1'], side: 'blue' }), ...shot.slice(5)];
    expect(newsOf(hit, 'red').map(({ text }) => text)).toEqual(['b1 is shaken']);
    const walk = [line('r1 moves', { units: ['r1'] }), line('r1 is marked Moved', { units: ['r1'] })];
    expect(newsOf(walk, 'blue')).toEqual(walk);
  });

  it('knows whether a step shows what one did oneself', () => {
    const shot = [line('red spends a point'), line('r1 fires at b1', { units: ['r1', 'b1'] }), line('b1 is shaken', { units: ['b1'], side: 'blue' })];
    expect([showsOwn(shot, 'red'), showsOwn(shot, 'blue')]).toEqual([true, false]);
    expect(showsOwn([line('red: pass', { kind: 'Asked' })], 'red')).toBe(false);
    expect(showsOwn([line('blue draws a card', { side: 'blue' })], 'blue')).toBe(true);
  });

  it('gives more time to more lines, but not without end', () => {
    const many = Array.from({ length: 9 }, () => line('rolled', { faces: [1] }));
    expect(paces(many.slice(0, 1))).toBe(1);
    expect(paces(many.slice(0, 3))).toBeGreaterThan(paces(many.slice(0, 2)));
    expect(paces(many)).toBeLessThanOrEqual(3);
  });

  it('does not linger on what is only noted down, nor on every step of a way', () => {
    const step = line('r1 moves from A1 to A2', { units: ['r1'], places: ['A1', 'A2'] });
    const fire = line('r1 fires at b1', { units: ['r1', 'b1'], places: [] });
    expect(paces([])).toBe(0);
    expect(paces([line('red spends a point')])).toBeLessThan(0.5);
    expect(paces([line('r1 is marked Moved', { units: ['r1'] })])).toBeLessThan(0.5);
    expect(paces([step])).toBe(1);
    expect(paces([step], [{ ...step, units: ['r2'] }])).toBe(1);
    expect(paces([step], [step])).toBeLessThan(1);
    expect(paces([fire])).toBe(1);
  });

  it('draws a shot from the side that acts to the other, once, and none within a hex', () => {
    const units = [unit('r1', 'red', 'A1'), unit('b1', 'blue', 'C3'), unit('b2', 'blue', 'A1'), unit('b3', 'blue', '')];
    const fire = line('r1 fires at b1', { units: ['r1', 'b1'] });
    expect(shotsOf([fire, fire], units, '7')).toEqual([{ from: 'A1', to: 'C3', name: '7 A1 C3' }]);
    expect(shotsOf([line('melee', { units: ['r1', 'b2', 'b3', 'gone'] })], units, '')).toEqual([]);
  });

  it('knows who was shot at and is gone', () => {
    const before = [unit('r1', 'red', 'A1'), unit('b1', 'blue', 'C3'), unit('b2', 'blue', 'C4')];
    const fire = line('r1 fires at b1', { units: ['r1', 'b1'] });
    expect(fallenOf([fire], before, before.slice(0, 1)).map(({ id }) => id)).toEqual(['b1']);
    expect(fallenOf([fire], before, before)).toEqual([]);
    expect(fallenOf([line('b1 is gone', { units: ['b1'], side: 'blue' })], before, before.slice(0, 1))).toEqual([]);
  });
});
