import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fakeTable, FRAMES, LINES } from '../../../test/fake-server';
import { rules } from '../../lib/rules.svelte';
import Dice from './Dice.svelte';
import LogPanel from './LogPanel.svelte';

const ODDS = {
  keys: ['fire'],
  exact: true,
  side: 'red',
  to_them: { probability: 0.3, fraction: '3/10', text: '' },
  outcomes: [
    { probability: 0.3, fraction: '3/10', text: 'Squad b1 is Shaken' },
    { probability: 0.7, fraction: '7/10', text: 'nothing' },
  ],
  tallies: [],
  anyway: [],
};

// Many roles are looked up in a page of many nodes: slow where the machine is busy.
vi.setConfig({ testTimeout: 30_000 });

describe('the log', () => {
  it('shows lines by turn, without the answers', () => {
    const { table } = fakeTable();
    render(LogPanel, { table });
    expect(screen.getAllByRole('heading').map((heading) => heading.textContent?.trim())).toEqual(['Turn 1', 'Turn 2']);
    expect(screen.getByText('Squad r1 moves from A1 to A2')).toBeTruthy();
    expect(screen.queryByText('red: move r1')).toBeNull();
    expect(screen.getByText('chance 28 %')).toBeTruthy();
    expect(screen.getByLabelText('2d6: 4, 2, together 6')).toBeTruthy();
  });

  it('filters by side, by rolls, by kind and by text, and shows answers when wanted', async () => {
    const { table } = fakeTable();
    const { container } = render(LogPanel, { table });
    const count = (): number => container.querySelectorAll('[data-line]').length;
    expect(count()).toBe(5);
    await fireEvent.click(screen.getByRole('button', { name: 'Filter' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Blue' }));
    expect(count()).toBe(1);
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await fireEvent.click(screen.getByLabelText('only rolls'));
    expect(count()).toBe(1);
    await fireEvent.click(screen.getByLabelText('only rolls'));
    await fireEvent.click(screen.getByLabelText('show answers'));
    expect(count()).toBe(6);
    await fireEvent.click(screen.getByRole('button', { name: /^moved/ }));
    expect(count()).toBe(1);
    await fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await fireEvent.input(screen.getByLabelText('Search the log'), { target: { value: 'squad' } });
    expect(count()).toBe(2);
    expect(container.querySelector('mark')?.textContent).toBe('Squad');
    await fireEvent.input(screen.getByLabelText('Search the log'), { target: { value: 'zebra' } });
    expect(screen.getByText('Nothing in the log matches the filter.')).toBeTruthy();
  });

  it('opens a roll: its tally and the odds behind it', async () => {
    const { table, api } = fakeTable({ '/log/3/odds': ODDS });
    render(LogPanel, { table });
    await fireEvent.click(screen.getByRole('button', { name: /How this adds up/ }));
    const tally = screen.getByRole('table', { name: 'Firepower' });
    expect(within(tally).getByText('−1')).toBeTruthy();
    expect(within(tally).getByText('degraded sight')).toBeTruthy();
    expect(within(tally).getByRole('rowheader').textContent).toBe('4');
    expect(await screen.findByText('Squad b1 is Shaken')).toBeTruthy();
    expect(api.asked).toEqual(['/api/battles/x/log/3/odds']);
  });

  it('says politely when the odds are not ours to see', async () => {
    const { table } = fakeTable({ '/odds': new Error('the other side’s answers are told at the end') });
    render(LogPanel, { table });
    await fireEvent.click(screen.getByRole('button', { name: /How this adds up/ }));
    expect(await screen.findByText(/are told at the end/)).toBeTruthy();
  });

  it('points at the map, centres it, opens rules and moments', async () => {
    const { table, api } = fakeTable();
    const oncentre = vi.fn();
    render(LogPanel, { table, oncentre });
    const line = screen.getByText('Squad r1 moves from A1 to A2').closest('li')!;
    await fireEvent.mouseEnter(line);
    expect(table.layers.focus).toEqual({ units: ['r1'], places: ['A2', 'A1'] });
    await fireEvent.mouseLeave(line);
    expect(table.layers.focus.units).toEqual([]);
    await fireEvent.click(screen.getByText('Squad r1 moves from A1 to A2'));
    await fireEvent.click(screen.getByText('Attack, Squad b1'));
    expect(oncentre.mock.calls).toEqual([['A2'], ['C1']]);
    await fireEvent.click(screen.getByRole('button', { name: 'Rule 93.4' }));
    expect(rules.id).toBe('93.4');
    await fireEvent.click(within(line).getByRole('button', { name: 'Show the map as it was then' }));
    expect(api.asked.at(-1)).toBe('/api/battles/x/frames/1');
    expect(table.replay.number).toBe(1);
  });

  it('walks through the lines by the arrow keys', async () => {
    const { table } = fakeTable();
    const { container } = render(LogPanel, { table });
    const last = container.querySelector<HTMLElement>('[data-line="5"]')!;
    expect(last.tabIndex).toBe(0);
    last.focus();
    await fireEvent.keyDown(last, { key: 'ArrowUp' });
    await tick();
    expect((document.activeElement as HTMLElement).dataset['line']).toBe('4');
    await fireEvent.keyDown(document.activeElement!, { key: 'Home' });
    await tick();
    expect((document.activeElement as HTMLElement).dataset['line']).toBe('0');
  });

  it('dims what is later than the moment that a replay shows', async () => {
    const { table } = fakeTable();
    const { container } = render(LogPanel, { table });
    await table.replay.show(1);
    await tick();
    const later = [...container.querySelectorAll<HTMLElement>('.later')].map((line) => line.dataset['line']);
    expect(later).toEqual(['3', '4', '5']);
  });

  it('copies itself as text', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const { table } = fakeTable();
    render(LogPanel, { table });
    await fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining('Red: Squad r1 moves from A1 to A2'));
    expect((await screen.findAllByText('5 lines copied.')).length).toBeGreaterThan(0);
    vi.unstubAllGlobals();
  });
});

describe('a long log', () => {
  const lines = Array.from({ length: 1200 }, (_, at) => LINES[at % LINES.length]!);
  const frames = Array.from({ length: 400 }, (_, at) => ({ ...FRAMES[0]!, number: at, log: at * 3 + 3 }));
  const numbers = (container: HTMLElement): number[] =>
    [...container.querySelectorAll<HTMLElement>('[data-line]')].map((line) => Number(line.dataset['line']));

  it('has its end on the page, and earlier lines when they are wanted', async () => {
    const { table } = fakeTable({}, { frames }, { log: lines });
    const { container } = render(LogPanel, { table, chunk: 12 });
    const first = numbers(container);
    expect(first.at(-1)).toBe(1199);
    expect(first.length).toBeLessThan(50);
    await fireEvent.click(container.querySelector('.edge')!);
    await tick();
    expect(numbers(container).length).toBeGreaterThan(first.length + 15);
  });

  it('has the moment on the page that a replay shows', async () => {
    const { table } = fakeTable({}, { frames }, { log: lines });
    const { container } = render(LogPanel, { table, chunk: 12 });
    await table.replay.show(20);
    await tick();
    const shown = numbers(container);
    expect([shown.includes(62), shown.includes(1199)]).toEqual([true, false]);
  });
});

describe('dice', () => {
  it('have pips or a number', () => {
    const { container } = render(Dice, { faces: [6], dice: '1d6' });
    expect(container.querySelectorAll('circle')).toHaveLength(6);
    const ten = render(Dice, { faces: [10], dice: '1d10-1' });
    expect(ten.container.querySelector('text')?.textContent).toBe('10');
    expect(screen.getByLabelText('1d10-1: 10, together 9')).toBeTruthy();
  });
});
