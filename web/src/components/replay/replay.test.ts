import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fakeTable } from '../../../test/fake-server';
import ReplayBar from './ReplayBar.svelte';
import ReplayKeys from './ReplayKeys.svelte';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await tick();
};

describe('the replay bar', () => {
  it('goes first, back, next and last, by buttons and by keys', async () => {
    const { table } = fakeTable();
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'First moment' }));
    expect([table.replay.on, table.replay.number]).toEqual([true, 0]);
    await fireEvent.click(screen.getByRole('button', { name: 'Next moment' }));
    expect(table.replay.number).toBe(1);
    await fireEvent.click(screen.getByRole('button', { name: 'One moment back' }));
    expect(table.replay.number).toBe(0);
    const slider = screen.getByRole('slider', { name: 'Moment of the battle' });
    await fireEvent.keyDown(slider, { key: 'End' });
    expect(table.replay.number).toBe(3);
    await fireEvent.keyDown(slider, { key: 'Home' });
    expect(table.replay.number).toBe(0);
    await fireEvent.input(slider, { target: { value: '2' } });
    expect(table.replay.number).toBe(2);
    expect(slider.getAttribute('aria-valuetext')).toBe('Turn 1, Fire, moment 3 of 4');
  });

  it('is stepped through by [ and ] from anywhere but a field of text', async () => {
    const { table } = fakeTable();
    render(ReplayKeys, { table });
    await fireEvent.keyDown(window, { key: ']' });
    expect(table.replay.on).toBe(false);
    await fireEvent.keyDown(window, { key: '[' });
    expect([table.replay.on, table.replay.number]).toEqual([true, 2]);
    await fireEvent.keyDown(window, { key: '[' });
    await fireEvent.keyDown(window, { key: ']' });
    expect(table.replay.number).toBe(2);
    const field = document.createElement('input');
    document.body.append(field);
    await fireEvent.keyDown(field, { key: '[' });
    expect(table.replay.number).toBe(2);
    field.remove();
  });

  it('keeps the place of what is not offered yet, so that the slider does not move', async () => {
    const { table } = fakeTable();
    const { container } = render(ReplayBar, { table });
    const back = container.querySelector<HTMLButtonElement>('[aria-label="Return to the present"]')!;
    expect([back.disabled, back.style.visibility]).toEqual([true, 'hidden']);
    await fireEvent.click(screen.getByRole('button', { name: 'First moment' }));
    expect([back.disabled, back.style.visibility]).toEqual([false, '']);
  });

  it('shows the board and the log as they were, and returns to the present', async () => {
    const { table } = fakeTable();
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'First moment' }));
    await settle();
    expect(table.log).toHaveLength(1);
    expect(table.live).toBe(false);
    await fireEvent.click(screen.getByRole('button', { name: 'Return to the present' }));
    expect([table.live, table.log.length]).toEqual([true, 6]);
  });

  it('plays and pauses', async () => {
    vi.useFakeTimers();
    const { table } = fakeTable();
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    await vi.advanceTimersByTimeAsync(10);
    expect([table.replay.playing, table.replay.number]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(1700);
    expect(table.replay.number).toBe(2);
    await fireEvent.keyDown(screen.getByRole('slider'), { key: ' ' });
    expect(table.replay.playing).toBe(false);
    vi.useRealTimers();
  });

  it('shares a moment', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const { table } = fakeTable({ '/share': { link: '/moment/abc' } });
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'Share this moment' }));
    expect(await screen.findByText(/The link to this moment is copied/)).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(expect.stringMatching(/^http.*\/moment\/abc$/));
    vi.unstubAllGlobals();
  });

  it('says why a moment cannot be shared', async () => {
    const { table } = fakeTable();
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'Share this moment' }));
    expect(await screen.findByText('nothing here')).toBeTruthy();
  });

  it('reveals everything only when the battle is over', async () => {
    const going = fakeTable();
    const first = render(ReplayBar, { table: going.table });
    expect(screen.queryByLabelText('reveal everything')).toBeNull();
    first.unmount();
    const { table, api } = fakeTable({}, { waiting: 'over' }, { ask: null });
    render(ReplayBar, { table });
    await fireEvent.click(screen.getByLabelText('reveal everything'));
    await settle();
    expect(api.asked.at(-1)).toBe('/api/battles/x/frames/3?reveal=true');
  });

  it('marks the turns', () => {
    const { table } = fakeTable();
    const { container } = render(ReplayBar, { table });
    expect([...container.querySelectorAll('.mark')].map((mark) => mark.textContent)).toEqual(['1', '2']);
  });
});
