import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTable } from '../../test/fake-server';
import TurnBanner from './TurnBanner.svelte';

describe('the banner of a new turn', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  async function nextTurn() {
    const { table } = fakeTable();
    table.view = { ...table.view, turn: 4 };
    render(TurnBanner, { table, pace: 0 });
    expect(screen.queryByRole('status')).toBeNull();
    table.view = { ...table.view, turn: 3 };
    await tick();
    return table;
  }

  it('comes with the turn and goes by itself, though the battle goes on meanwhile', async () => {
    const table = await nextTurn();
    expect(screen.getByRole('status').textContent).toContain('Turn 3');
    table.view = { ...table.view };
    await tick();
    await vi.advanceTimersByTimeAsync(800);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('takes a click that was meant for the old turn, and a key', async () => {
    const clicked = vi.fn();
    const pressed = vi.fn();
    window.addEventListener('click', clicked);
    window.addEventListener('keydown', pressed);
    await nextTurn();
    await fireEvent.click(screen.getByRole('status'));
    expect([clicked.mock.calls.length, screen.queryByRole('status')]).toEqual([0, null]);
    await fireEvent.keyDown(document.body, { key: 'p' });
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  it('takes a key that was meant for the old turn', async () => {
    const pressed = vi.fn();
    document.body.addEventListener('keydown', pressed);
    await nextTurn();
    await fireEvent.keyDown(document.body, { key: 'p' });
    expect(pressed).not.toHaveBeenCalled();
    expect(screen.queryByRole('status')).toBeNull();
  });
});
