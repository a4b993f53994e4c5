import { describe, expect, it } from 'vitest';
import { logLine } from './normalise-view';
import { brief, lastOf, sinceAnswer, tellsResult, verdictsOf, verdictWords } from './verdicts';
import type { LogLine, UnitView } from './types';

const unit = (id: string, side: string, place = 'C3'): UnitView => ({ id, side, place, name: id }) as UnitView;
const units = [unit('b1', 'blue', 'A1'), unit('b2', 'blue', 'A2'), unit('r1', 'red'), unit('r2', 'red', 'C4')];
const line = (text: string, more: Partial<LogLine> = {}): LogLine => logLine({ text, side: 'blue', kind: 'Told', ...more });
const roll = (what: string, id: string, faces: number[], more: Partial<LogLine> = {}): LogLine =>
  line(`${what}, ${id}: 2d6 (${faces.join(' ')}) → so`, { dice: '2d6', faces, total: faces.reduce((a, b) => a + b, 0), units: [id], meaning: 'no result', ...more });
const change = (id: string, what: string, more: Partial<LogLine> = {}): LogLine => line(`${id} ${what}`, { side: 'red', units: [id], whom: id, change: what, ...more });
const fire = (from: string, at: string, side = 'blue'): LogLine => line(`${from} fires at ${at}`, { side, units: [from, at] });

describe('verdicts', () => {
  it('stamps what befell the target, with all throws that led there', () => {
    const lines = [
      fire('b1', 'r1'),
      roll('Attack', 'r1', [5, 4], { needed: '8 or more' }),
      roll('Check', 'r1', [1, 2], { side: 'red', needed: '7 or more', meaning: 'failed' }),
      change('r1', 'is Broken', { harm: true }),
    ];
    const [only, ...more] = verdictsOf(lines, units);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ unit: 'r1', place: 'C3', by: 'blue', from: ['b1'], stamp: 'Broken', mood: 'bad', fatal: false });
    expect(only!.throws.map(({ what, total, needed }) => [what, total, needed])).toEqual([['Attack', 9, '8 or more'], ['Check', 3, '7 or more']]);
    expect(verdictWords(only!)).toBe('Broken (9, needed 8 or more): b1 fires at r1');
  });

  it('says that nothing came of an attack', () => {
    const [only] = verdictsOf([fire('b1', 'r1'), roll('Attack', 'r1', [1, 2], { needed: '8 or more' })], units);
    expect(only).toMatchObject({ stamp: 'No effect', mood: 'none' });
    expect(verdictWords(only!)).toBe('No effect (3, needed 8 or more): b1 fires at r1');
  });

  it('puts the dice of who attacks at the target, until something came of it', () => {
    const lines = [
      fire('b1', 'r1'),
      line('To hit, b1: 3d6 (4 5 1) → 2 hit', { dice: '3d6', faces: [4, 5, 1], units: ['b1'], needed: '4 or more each', meaning: '2 hit' }),
      change('r1', 'takes 1 pin', { harm: true }),
      roll('Damage', 'r1', [4, 1]),
      change('r1', 'loses 1 man', { harm: true }),
      roll('Rally', 'b1', [6, 6], { meaning: 'passed' }),
    ];
    const [hit, own] = verdictsOf(lines, units);
    expect(hit!.throws.map(({ what }) => what)).toEqual(['To hit', 'Damage']);
    expect(hit!.stamp).toBe('takes 1 pin, loses 1 man');
    expect(verdictWords(hit!)).toBe('Takes 1 pin, loses 1 man (4 5 1, needed 4 or more each): b1 fires at r1');
    expect(own).toMatchObject({ unit: 'b1', stamp: 'passed', from: [] });
  });

  it('tells two attacks on one unit apart, and what is fatal from what is not', () => {
    const lines = [
      fire('b1', 'r1'),
      roll('Attack', 'r1', [1, 1]),
      fire('b2', 'r1'),
      roll('Attack', 'r1', [6, 6]),
      change('r1', 'is reduced', { harm: true }),
      change('r1', 'is eliminated', { harm: true, fatal: true }),
    ];
    expect(verdictsOf(lines, units).map(({ from, stamp, fatal }) => [from[0], stamp, fatal])).toEqual([
      ['b1', 'No effect', false],
      ['b2', 'eliminated', true],
    ]);
  });

  it('counts what is thrown for oneself, such as a rally, as good when something came of it', () => {
    const lines = [roll('Rally', 'b1', [5, 5], { needed: '7 or more', meaning: 'passed' }), change('b1', 'rallies', { side: 'blue' })];
    expect(verdictsOf(lines, units)).toMatchObject([{ unit: 'b1', by: 'blue', stamp: 'rallies', mood: 'good', deed: 'Rally, b1' }]);
  });

  it('begins another story where something is told of nobody', () => {
    const lines = [
      fire('b1', 'r1'),
      roll('Attack', 'r1', [6, 6]),
      change('r1', 'is Shaken', { harm: true }),
      line('red spends a point', { side: 'red' }),
      roll('Rally', 'r1', [5, 5], { side: 'red', meaning: 'passed' }),
      change('r1', 'rallies'),
    ];
    expect(verdictsOf(lines, units).map(({ stamp, by }) => [stamp, by])).toEqual([
      ['Shaken', 'blue'],
      ['rallies', 'red'],
    ]);
  });

  it('leaves out dice about nobody, and units that nobody has seen', () => {
    expect(verdictsOf([line('Initiative', { dice: '2d6', faces: [1, 2] }), roll('Attack', 'x9', [1, 2])], units)).toEqual([]);
    expect(tellsResult([line('Initiative', { dice: '2d6', faces: [1, 2] })])).toBe(false);
    expect(tellsResult([roll('Attack', 'r1', [1, 2])])).toBe(true);
    expect(tellsResult([change('r1', 'moves')])).toBe(false);
  });

  it('finds the last of one side, and what came of its last answer', () => {
    const lines = [
      fire('b1', 'r1'),
      roll('Attack', 'r1', [1, 1]),
      line('blue: pass', { kind: 'Asked' }),
      fire('r2', 'b2', 'red'),
      roll('Attack', 'b2', [4, 4], { side: 'red' }),
    ];
    expect(lastOf(lines, units, 'blue')?.deed).toBe('b1 fires at r1');
    expect(lastOf(sinceAnswer(lines), units, 'blue')).toBeNull();
    expect(lastOf(sinceAnswer(lines), units, 'red')?.deed).toBe('r2 fires at b2');
    expect(sinceAnswer(lines.slice(0, 2)), 'nothing was answered').toEqual([]);
    expect(brief('is Shaken')).toBe('Shaken');
  });
});
