import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { fakeTable } from '../../test/fake-server';
import GoalLine from './GoalLine.svelte';

const GOAL = { task: 'Hold the farmhouse at the end', stands: 'the farmhouse: Blue', left: '3 turns left' };

describe('the line under the title', () => {
  it('says which side one plays, what it must do, how that stands, and how long is left', async () => {
    const { table } = fakeTable();
    table.view = { ...table.view, goal: GOAL };
    const onopen = vi.fn();
    render(GoalLine, { table, onopen });
    const line = screen.getByRole('button');
    expect(line.textContent?.replace(/\s+/g, ' ').trim()).toBe(
      'You play the Red side. To win: Hold the farmhouse at the end. The farmhouse: Blue. 3 turns left.',
    );
    await fireEvent.click(line);
    expect(onopen).toHaveBeenCalledOnce();
  });

  it('is left out where a game tells no goal', () => {
    const { table } = fakeTable();
    render(GoalLine, { table, onopen: () => {} });
    expect(screen.queryByRole('button')).toBeNull();
  });
});
