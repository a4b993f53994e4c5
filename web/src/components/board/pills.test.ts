import { expect, it } from 'vitest';
import { layLabels, wordsWidth } from './pills';

it('no label hides another', () => {
  const thing = { x: 100, y: 100, width: 40, height: 14, rim: 12 };
  const [a, b, c] = layLabels([thing, { ...thing, x: 104 }, { ...thing, y: 101 }], true);
  expect(a!.y).toBeLessThan(100);
  for (const [one, other] of [[a, b], [a, c], [b, c]]) {
    expect(Math.abs(one!.x - other!.x) >= 40 || Math.abs(one!.y - other!.y) >= 14).toBe(true);
  }
});

it('capitals and figures need more room than small letters', () => {
  expect(wordsWidth('')).toBe(0);
  expect(wordsWidth('M4A3 76')).toBeGreaterThan(wordsWidth('orchard'));
  expect(wordsWidth('mill (1)')).toBeLessThan(wordsWidth('crosses.'));
});
