import { describe, expect, it } from 'vitest';
import { lastRolls, pool, spreads, sums } from './rolls';
import { logLine } from './normalise-view';
import type { LogLine } from './types';

const roll = (side: string, dice: string, faces: number[]): LogLine =>
  logLine({ kind: 'Rolled', side, dice, faces });

describe('dice', () => {
  it('are read', () => {
    expect(pool('2d6+3')).toEqual({ number: 2, sides: 6, add: 3 });
    expect(pool('1d10 - 1')).toEqual({ number: 1, sides: 10, add: -1 });
    expect(pool('two dice')).toBeNull();
  });

  it('have a spread', () => {
    const chances = sums(2, 6);
    expect(chances).toHaveLength(11);
    expect(chances[5]).toBeCloseTo(1 / 6);
    expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1);
  });

  it('are counted by side and kind', () => {
    const lines = [roll('red', '2d6', [1, 1]), roll('red', '2d6+3', [6, 4]), roll('blue', '1d6', [2]), roll('red', '1d6', [])];
    const found = spreads(lines);
    expect(found.map((spread) => [spread.side, spread.dice, spread.rolls])).toEqual([
      ['blue', '1d6', 1],
      ['red', '2d6', 2],
    ]);
    expect(found[1]!.counts[0]).toBe(1);
    expect(found[1]!.mean).toBe(6);
    expect(found[1]!.meanExpected).toBe(7);
    expect(found[1]!.expected[5]).toBeCloseTo(1 / 3);
  });

  it('lie in the tray, the last on top', () => {
    const lines = [roll('red', '1d6', [1]), logLine({ text: 'x' }), roll('red', '1d6', [2])];
    expect(lastRolls(lines, 5).map((found) => found.index)).toEqual([2, 0]);
    expect(lastRolls(lines, 1)).toHaveLength(1);
  });
});
