import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../lib/verdicts';
import Verdicts from './Verdicts.svelte';

const thrown = { what: 'To hit', dice: '3d6', faces: [4, 5, 1], total: 0, needed: '4 or more each', meaning: '2 hit' };
const verdict: Verdict = { name: 'v', unit: 'r1', place: 'C3', by: 'blue', from: ['b1'], deed: 'b1 fires at r1', throws: [thrown], stamp: 'takes 1 pin', mood: 'bad', fatal: false };
const seen = { left: 0, top: 0, width: 800, height: 600 };

function draw(at: { x: number; y: number }, throws = [thrown]): HTMLElement {
  render(Verdicts, { verdicts: [{ ...verdict, throws }], spots: new Map([['r1', at]]), point: () => null, edge: 40, scale: 1, seen });
  return document.querySelector<HTMLElement>('.throws')!;
}

describe('what came of a throw', () => {
  it('adds up the dice only where their sum counts', () => {
    draw({ x: 400, y: 300 });
    expect(screen.getByText('takes 1 pin')).toBeTruthy();
    expect(screen.getByRole('img', { hidden: true }).getAttribute('aria-label')).toBe('3d6: 4, 5, 1');
    expect(screen.queryByText(/= 10/)).toBeNull();
  });

  it('lies above its counter, below one at the upper edge, and within the window at its sides', () => {
    expect(draw({ x: 400, y: 300 }).style.bottom).not.toBe('');
    document.body.innerHTML = '';
    const high = draw({ x: 5, y: 10 }, [{ ...thrown, total: 10 }]);
    expect([high.style.top !== '', high.style.left]).toEqual([true, '155px']);
  });
});
