import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fakeTable, FakeApi } from '../../../test/fake-server';
import { Rules, rules } from '../../lib/rules.svelte';
import { Sounds } from '../../lib/sounds';
import { tableBoard, tableUnits } from '../../../test/small-table';
import ChartsPanel from './ChartsPanel.svelte';
import DiceTray from './DiceTray.svelte';
import RulesPanel from './RulesPanel.svelte';
import SoundsWatcher from './Sounds.svelte';
import StackCard from './StackCard.svelte';
import ToolBanner from './ToolBanner.svelte';
import { Tools } from './tools.svelte';
import ToolsPanel from './ToolsPanel.svelte';

const SIGHT = {
  start: 'A2',
  end: 'C1',
  range: 3,
  state: 'blocked',
  text: 'A2 to C1, range 3: blocked by woods in B1.',
  crossed: [
    { places: ['B1'], text: 'woods', effect: 'block', rule: '30.1' },
    { places: ['B2'], text: 'open', effect: 'none' },
  ],
};
const FIELD = {
  unit: 'r1',
  rings: [{ range: 6, text: 'MMG' }],
  places: [
    { place: 'A1', state: 'clear', ring: 0 },
    { place: 'C1', state: 'degraded', ring: 0 },
  ],
};
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await tick();
};

describe('the tape', () => {
  function atTable() {
    const { table, api } = fakeTable({ '/sight': { ...SIGHT, start: 'b1', end: 'r1', lines: [{ x1: 20, y1: 25, x2: 24, y2: 10, state: 'clear' }] }, '/field': { unit: 'r1', fans: [{ x: 24, y: 8, heading: 180, width: 90, range: 24, text: 'hull MG' }], areas: [[[1, 1], [2, 2], [1, 2]]] } });
    table.battle = { ...table.battle, board: tableBoard() };
    table.view = { ...table.view, units: tableUnits() };
    return { table, api, tools: new Tools(table) };
  }

  it('goes from base to base, with rings about where it begins', () => {
    const { table, tools } = atTable();
    tools.toggleTape();
    expect(table.tool).toBe('tape');
    tools.measure({ x: 17.8, y: 25.1, unit: 'b1' }, null);
    expect(table.layers.tape).toMatchObject({ from: { id: 'm1' }, line: null, rings: [6, 12, 24] });
    tools.measure({ x: 17.8, y: 25.1, unit: 'b1' }, { x: 24, y: 8, unit: 'r1' });
    // From the rim of the first model to the tank's corner at 23,10.
    expect(table.layers.tape!.label).toBe('15.4″');
    expect(tools.hint).toBe('First Squad to Tank: 15.4″');
    tools.measure({ x: 1, y: 1, unit: '' }, { x: 4, y: 5, unit: '' });
    expect(tools.hint).toBe('a point to a point: 5″');
    tools.toggleTape();
    expect([table.tool, table.layers.tape]).toEqual(['none', null]);
  });

  it('goes between what is typed', () => {
    const { table, tools } = atTable();
    tools.measureWords('b1', 'first squad');
    expect(table.layers.tape!.label).toBe('0″');
    tools.measureWords('b1', '20,10');
    expect(table.layers.tape!.label).toBe('14.5″');
    tools.measureWords('b1', 'nobody');
    expect(tools.problem).toBe('There is no unit or place called “nobody”.');
  });

  it('is one of the tools of a table alone', () => {
    const { table, tools } = atTable();
    render(ToolsPanel, { props: { table, tools } });
    expect(screen.getByText('Measuring tape')).toBeTruthy();
  });

  it('leaves threads between models and arcs to the other tools', async () => {
    const { table, tools } = atTable();
    await tools.lookFrom('b1', 'r1');
    expect(table.layers.sight).toMatchObject({ from: '20,25', to: '24,8', threads: [{ state: 'clear' }] });
    await tools.show('field', 'r1');
    expect(table.layers.fire).toMatchObject({ fans: [{ text: 'hull MG' }] });
    expect(table.layers.fire!.areas).toHaveLength(1);
    await tools.show('rings', 'r1');
    expect(table.layers.fire!.areas).toEqual([]);
    tools.clear();
    expect(table.layers.fire).toBeNull();
  });
});

describe('the thread', () => {
  it('takes two clicks, and a third begins anew', async () => {
    const { table, api } = fakeTable({ '/sight': SIGHT });
    const tools = new Tools(table);
    expect(tools.pick({ unit: 'r1' })).toBe(false);
    tools.startSight();
    expect(tools.pick({ unit: 'r1' })).toBe(true);
    expect(tools.following).toBe(true);
    tools.pick({ place: 'C1' });
    await settle();
    expect(api.asked).toEqual(['/api/battles/x/sight?from_unit=r1&to_place=C1']);
    expect(table.layers.sight).toMatchObject({ from: 'A2', to: 'C1', state: 'blocked' });
    tools.pick({ place: 'A1' });
    expect([tools.from, tools.to, table.layers.sight]).toEqual([{ place: 'A1' }, null, null]);
    tools.clear();
    expect(table.tool).toBe('none');
  });

  it('follows the pointer, after a rest, and asks once', async () => {
    vi.useFakeTimers();
    const { table, api } = fakeTable({ '/sight': SIGHT });
    const tools = new Tools(table);
    tools.startSight({ unit: 'r1' });
    tools.hover({ place: 'A1' });
    tools.hover({ place: 'C1' });
    await vi.advanceTimersByTimeAsync(200);
    tools.hover({ place: 'A1' });
    tools.hover({ place: 'C1' });
    tools.hover(null);
    await vi.advanceTimersByTimeAsync(200);
    expect(api.asked).toEqual(['/api/battles/x/sight?from_unit=r1&to_place=C1']);
    vi.useRealTimers();
  });

  it('tells what it crosses, and the distance', async () => {
    const { table } = fakeTable({ '/sight': SIGHT });
    const tools = new Tools(table);
    const oncentre = vi.fn();
    render(ToolsPanel, { table, tools, oncentre });
    await fireEvent.input(screen.getByLabelText('From'), { target: { value: 'squad r1' } });
    await fireEvent.input(screen.getByLabelText('To'), { target: { value: 'c1' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Check' }));
    expect(await screen.findByText(/blocked by woods in B1/)).toBeTruthy();
    expect(screen.getByText('blocks')).toBeTruthy();
    expect(screen.getByText('no effect')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Rule 30.1' })).toBeTruthy();
    expect(screen.getByText(/Distance/).textContent).toMatch(/Distance 2 hexes/);
    await fireEvent.click(screen.getByRole('button', { name: 'B1' }));
    expect(oncentre).toHaveBeenCalledWith('B1');
  });

  it('is put away by Escape, and leaves the map alone when it was typed', async () => {
    const { table } = fakeTable({ '/sight': SIGHT });
    const tools = new Tools(table);
    render(ToolBanner, { table, tools });
    tools.startSight({ unit: 'r1' });
    expect(await screen.findByText(/point at the target/)).toBeTruthy();
    await fireEvent.keyDown(window, { key: 'Escape' });
    expect(table.tool).toBe('none');
    await tools.lookFrom('A2', 'C1');
    expect([table.tool, tools.pick({ place: 'A1' })]).toEqual(['sight', false]);
    await fireEvent.click(await screen.findByRole('button', { name: /Close/ }));
    expect(table.layers.sight).toBeNull();
  });

  it('says what was wrong', async () => {
    const { table } = fakeTable();
    const tools = new Tools(table);
    render(ToolsPanel, { table, tools });
    await tools.lookFrom('A1', 'nowhere');
    expect((await screen.findByRole('alert')).textContent).toBe('There is no unit or hex called “nowhere”.');
    await tools.lookFrom('A1', 'C1');
    expect((await screen.findByRole('alert')).textContent).toBe('nothing here');
  });
});

describe('field and rings', () => {
  it('are drawn for a unit, with a legend, and put away by the same button', async () => {
    const { table } = fakeTable({ '/field': FIELD });
    const tools = new Tools(table);
    render(ToolsPanel, { table, tools });
    await fireEvent.change(screen.getByLabelText('Unit'), { target: { value: 'r1' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Field of fire' }));
    expect(await screen.findByText(/MMG: range 6/)).toBeTruthy();
    expect(table.layers.field).toHaveLength(2);
    expect(table.layers.rings).toEqual({ center: 'A2', ranges: FIELD.rings });
    await fireEvent.click(screen.getByRole('button', { name: 'Range rings' }));
    await settle();
    expect(table.layers.field).toBeNull();
    expect(table.layers.rings).not.toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Range rings' }));
    expect([table.layers.rings, table.tool]).toEqual([null, 'none']);
  });
});

describe('cards', () => {
  it('show the selected unit with its figures, states, options and tools', async () => {
    const { table } = fakeTable({ '/field': FIELD });
    const tools = new Tools(table);
    table.select('r1');
    render(StackCard, { table, tools });
    expect(screen.getByRole('heading', { name: 'Squad r1' })).toBeTruthy();
    expect(screen.getByText('moved')).toBeTruthy();
    expect(screen.getByText(/in A2, woods/)).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'HE' })).toBeTruthy();
    expect(screen.getByText(/Can now/).parentElement?.textContent).toContain('Move');
    await fireEvent.click(screen.getByRole('button', { name: 'Sight from here' }));
    expect([table.tool, tools.from]).toEqual(['sight', { unit: 'r1' }]);
  });

  it('show a stack to choose from', async () => {
    const { table } = fakeTable();
    table.select('b1');
    render(StackCard, { table, tools: new Tools(table) });
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Leader b2' }));
    expect(screen.getByRole('heading', { name: 'Leader b2' })).toBeTruthy();
    expect(screen.getByText('With Squad b1')).toBeTruthy();
  });
});

describe('the dice tray', () => {
  it('shows the last rolls and the spread', () => {
    const { table } = fakeTable();
    render(DiceTray, { table });
    expect(screen.getByText('Attack, Squad b1')).toBeTruthy();
    expect(screen.getByText(/1\s+roll, on average 6/)).toBeTruthy();
  });
});

const RULES = [
  { id: '1.0', kind: 'definition', text: 'The map has hexes (2.1).', title: '' },
  { id: '2.0', kind: 'procedure', text: 'Units fire.', title: '' },
  { id: '2.1', kind: 'example', text: 'A squad fires at a hex.', title: '' },
];

describe('the rules', () => {
  it('are listed by section, opened, followed, searched, and left again', async () => {
    const book = new Rules(new FakeApi({ '/api/rules/g': RULES }));
    render(RulesPanel, { game: 'g', book });
    await fireEvent.click(await screen.findByRole('button', { name: /^1\s*The map has hexes/ }));
    await fireEvent.click(screen.getByRole('button', { name: '2.1' }));
    expect(book.id).toBe('2.1');
    expect(screen.getByText('A squad fires at a hex.').closest('li')?.getAttribute('aria-current')).toBe('true');
    const field = screen.getByLabelText('Search the rules');
    await fireEvent.input(field, { target: { value: 'fire' } });
    expect(await screen.findByText('2 rules with “fire”')).toBeTruthy();
    expect(screen.getAllByText('fire', { selector: 'mark' }).length).toBe(2);
    await fireEvent.click(screen.getByRole('button', { name: 'Open rule 2.0' }));
    expect([book.id, book.search]).toEqual(['2.0', '']);
    await fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(book.search).toBe('fire');
    await fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(book.id).toBe('2.1');
    await fireEvent.input(field, { target: { value: '1.0' } });
    await fireEvent.submit(field.closest('form')!);
    expect(book.id).toBe('1.0');
  });

  it('say when there is no such rule, or no server', async () => {
    const book = new Rules(new FakeApi({ '/api/rules/g': RULES }));
    book.show('99.9');
    const first = render(RulesPanel, { game: 'g', book });
    expect(await screen.findByText(/There is no rule “99.9”/)).toBeTruthy();
    first.unmount();
    render(RulesPanel, { game: 'h', book: new Rules(new FakeApi()) });
    expect((await screen.findByRole('alert')).textContent).toContain('nothing here');
    expect(rules).toBeInstanceOf(Rules);
  });
});

describe('the charts', () => {
  it('are tables with their provenance', async () => {
    const charts = [
      { id: 'a', title: 'Combat', provenance: 'reconstructed', columns: ['Roll', '+1'], rows: [['2', 'miss']], rule: '9.1' },
      { id: 'b', title: 'Drift', provenance: 'yours', columns: ['Roll'], rows: [['1']], source: 'my.toml' },
    ];
    render(ChartsPanel, { game: 'g', api: new FakeApi({ '/api/charts/g': { charts, overrides: ['my.toml'] } }) });
    expect(await screen.findByRole('table', { name: 'Combat' })).toBeTruthy();
    expect(screen.getByText('reconstructed')).toBeTruthy();
    expect(screen.getByText('Your own files in use:').parentElement?.textContent).toContain('my.toml');
    await fireEvent.input(screen.getByLabelText('Search the charts'), { target: { value: 'drift' } });
    expect(screen.queryByText('Combat')).toBeNull();
  });
});

describe('sounds', () => {
  it('follow what is shown', async () => {
    const { table } = fakeTable();
    const heard: string[] = [];
    const sounds = new Sounds(() => null);
    sounds.play = (sound) => heard.push(sound) > 0;
    render(SoundsWatcher, { table, sounds });
    await settle();
    expect(heard).toEqual([]);
    table.view = { ...table.view, units: table.view.units.map((unit) => ({ ...unit, place: 'A1' })) };
    table.fresh = table.log.slice(2, 4);
    await settle();
    expect(heard).toEqual(['dice', 'step']);
    table.fresh = [{ ...table.log[3]!, faces: [], dice: '', units: ['r1', 'b1'] }];
    await settle();
    expect(heard.at(-1)).toBe('shot');
  });
});
