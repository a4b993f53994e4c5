import { describe, expect, it } from 'vitest';
import { counted, luckBySide, luckWords, short } from './luck';

describe('luck', () => {
  it('has words', () => {
    expect([0, 0.7, -0.7, 1.5, -2.5, 4].map(luckWords)).toEqual([
      'about as expected',
      'a little lucky',
      'a little unlucky',
      'lucky',
      'very unlucky',
      'astonishingly lucky',
    ]);
  });

  it('is summed by side; rolls without a value do not count', () => {
    const found = luckBySide(
      [
        { side: 'red', what: 'Attack', rolls: 4, value: 9, expected: 8, deviations: 1 },
        { side: 'red', what: 'Check', rolls: 12, value: 7, expected: 8, deviations: -0.5 },
        { side: 'red', what: 'Drift', rolls: 3, value: 0, expected: 0, deviations: 0 },
      ],
      ['red', 'blue'],
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.kinds.map((kind) => kind.what)).toEqual(['Check', 'Attack']);
    expect(found[0]!.rolls).toBe(19);
    expect(found[0]!.deviations).toBeCloseTo((2 - 0.5 * Math.sqrt(12)) / 4);
  });

  it('shows numbers short and casualties counted', () => {
    expect([3, 2.04, 7.26].map(short)).toEqual(['3', '2', '7.3']);
    expect(counted(['Squad', 'Tank', 'Squad'])).toEqual(['2 × Squad', 'Tank']);
  });
});
