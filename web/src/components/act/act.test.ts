import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Acting } from '../../lib/acting/acting.svelte';
import { Guide } from '../../lib/lesson.svelte';
import type { Choice } from '../../lib/acting/choices';
import type { AskView, Cue, Prospect } from '../../lib/types';
import ActOverlay from './ActOverlay.svelte';
import { dice as normaliseDice, logLine } from '../../lib/normalise-view';
import DiceEntry from './DiceEntry.svelte';
import HandOver from './HandOver.svelte';
import Lesson from './Lesson.svelte';
import OddsCard from './OddsCard.svelte';
import OptionsPanel from './OptionsPanel.svelte';
import OrdersPanel from './OrdersPanel.svelte';
import ReactionDialog from './ReactionDialog.svelte';
import TakeBack from './TakeBack.svelte';
import UndoBar from './UndoBar.svelte';
import type { BattleStore } from '../../lib/battle-store.svelte';
import { chances, FakeStore, option, piece, question } from '../../../test/fake-store.svelte';

const units = [piece('b1', 'blue', 'A1'), piece('b2', 'blue', 'A2'), piece('r1', 'red', 'C1'), piece('r2', 'red', 'C2')];
const impulse = question([
  option('move b1', { unit: 'b1', place: 'A1', label: 'Move', cost: '1 IP' }),
  option('fire b1', { unit: 'b1', place: 'A1', label: 'Fire', cost: '1 IP' }),
  option('cover b1', { unit: 'b1', place: 'A1', label: 'Try for Cover' }),
  option('move b2', { unit: 'b2', place: 'A2', label: 'Move' }),
  option('oba', { label: 'Call artillery' }),
  option('pass', { label: 'Pass' }),
]);
const ways = [
  option('at r1 own', { verb: 'at', unit: 'b1', place: 'C1', target: 'r1', label: 'Fire at r1 own' }),
  option('at r1 lmg', { verb: 'at', unit: 'b1', place: 'C1', target: 'r1', label: 'Fire at r1 LMG' }),
];
const ahead: Prospect = {
  seq: 7,
  unit: 'b1',
  branches: [
    {
      option: impulse.options[0]!,
      prompt: '',
      follow: [],
      journeys: [
        { place: 'B1', keys: ['move b1', 'step B1'], cost: 1, currency: 'MP', via: ['B1'], reactors: [], rolls: [], facing: 0 },
        { place: 'B2', keys: ['move b1', 'step B1', 'step B2'], cost: 2.5, currency: 'MP', via: ['B1', 'B2'], reactors: ['r1'], rolls: ['bog'], facing: 0 },
      ],
    },
    { option: impulse.options[1]!, prompt: '', follow: ways, journeys: [] },
  ],
};
const choice = (at: number): Choice => ({
  keys: ['fire b1', ways[at]!.key],
  root: impulse.options[1]!,
  option: ways[at]!,
  label: ways[at]!.label,
  cost: '1 IP',
  rule: '88.1',
  unit: 'b1',
  spot: { unit: 'r1', place: 'C1' },
});
const settled = async (): Promise<void> => {
  for (let at = 0; at < 6; at += 1) await tick();
  flushSync();
};

function seat(ask: AskView | null = impulse): { fake: FakeStore; acting: Acting } {
  const fake = new FakeStore(ask, units);
  fake.known = { 'fire b1 at r1 own': chances(0.2), 'fire b1 at r1 lmg': chances(0.45) };
  const acting = new Acting(fake.table);
  return { fake, acting };
}

// jsdom measures nothing.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('OddsCard', () => {
  const props = (more: object = {}) => ({
    title: 'Squad b1 → Squad r1',
    choices: [choice(0), choice(1)],
    index: 0,
    oddsOf: (each: Choice) => (each.keys[1] === 'at r1 own' ? chances(0.405) : undefined),
    pinned: true,
    onpick: vi.fn(),
    onconfirm: vi.fn(),
    oncancel: vi.fn(),
    ...more,
  });

  it('tells the chance, the outcomes, and the sum line by line with rules', () => {
    render(OddsCard, props());
    const card = screen.getByRole('region', { name: /b1 → Squad r1/ });
    expect(within(card).getAllByText('41 %').length).toBeGreaterThan(0);
    expect(card.textContent).toContain('exact');
    expect(card.textContent).toContain('Squad r1 is Shaken');
    expect(card.textContent).toContain('40.5 %');
    expect(within(card).getByText('−1')).toBeTruthy();
    expect(within(card).getAllByRole('button', { name: 'Rule 59.3' })).toHaveLength(1);
    expect(card.querySelector('[aria-live]')!.textContent).toContain('You to them 41 %, they to you 0 %');
  });

  it('offers the ways to do it, and confirms', async () => {
    const all = props();
    render(OddsCard, all);
    const radios = screen.getAllByRole('radio');
    expect(radios.map((radio) => radio.getAttribute('aria-checked'))).toEqual(['true', 'false']);
    await fireEvent.click(radios[1]!);
    expect(all.onpick).toHaveBeenCalledWith(1);
    await fireEvent.click(radios[0]!);
    expect(all.onconfirm).toHaveBeenCalledTimes(1);
    await fireEvent.click(screen.getByRole('button', { name: /Confirm/ }));
    expect(all.onconfirm).toHaveBeenCalledTimes(2);
    await fireEvent.click(screen.getByRole('button', { name: /Cancel/ }));
    expect(all.oncancel).toHaveBeenCalled();
  });

  it('tells what each side does to the other apart, and what is assumed', () => {
    const us = { probability: 0.9, fraction: '9/10', text: '', changes: [], mean: 0 };
    const text = 'Assuming the red player answers “Shoot?” with “Hold fire”';
    const assumed = [{ side: 'red', prompt: 'Shoot?', key: 'pass', label: 'Hold fire', text }];
    const { container } = render(OddsCard, props({ choices: [choice(0)], oddsOf: () => chances(0.2, { to_us: us, assumed }) }));
    expect(container.querySelector('.effect.them')!.textContent).toMatch(/▸\s*20 %\s*you to them/);
    expect(container.querySelector('.effect.us')!.textContent).toMatch(/◂\s*90 %\s*they to you/);
    expect(container.querySelector('.outcomes .them')!.textContent).toBe('Squad r1 is Shaken');
    expect(container.textContent).toContain(text);
  });

  it('colours what is sure to happen too', () => {
    const sure = chances(1);
    const outcomes = sure.outcomes.filter((outcome) => outcome.changes.length).map((outcome) => ({ ...outcome, probability: 1 }));
    const { container } = render(OddsCard, props({ choices: [choice(0)], oddsOf: () => ({ ...sure, outcomes }) }));
    expect(container.querySelector('.outcomes .text .them')!.textContent).toBe('Squad r1 is Shaken');
  });

  it('says that odds are an estimate, and asks for nothing while it only shows', () => {
    render(OddsCard, props({ pinned: false, choices: [choice(0)], oddsOf: () => chances(0.5, { exact: false, samples: 40 }) }));
    expect(screen.getAllByText(/estimate, 40 samples/).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: /Confirm/ })).toBeNull();
  });
});

describe('ReactionDialog', () => {
  const ask = question(
    [
      option('pass', { label: 'Hold fire' }),
      option('b1 at r1', { verb: 'at', unit: 'b1', target: 'r1', label: 'Fire', cost: '1 IP', range: 3 }),
    ],
    { reaction: 'opportunity fire', prompt: 'Opportunity Fire at r1 in C1?', quiet: false },
  );
  const props = (more: object = {}) => ({
    ask,
    choices: [{ ...choice(0), keys: ['b1 at r1'], option: ask.options[1]!, root: ask.options[1]! }],
    pass: ask.options[0]!,
    oddsOf: () => chances(0.3),
    nameOf: (id: string) => `Squad ${id}`,
    onchoose: vi.fn(),
    onpass: vi.fn(),
    onpassturn: vi.fn(),
    onorders: vi.fn(),
    ...more,
  });

  it('shows who may react with the chance, and passes', async () => {
    const all = props();
    render(ReactionDialog, all);
    const way = screen.getByRole('button', { name: /Squad b1.*30 %/s });
    expect(way.textContent).toContain('range 3');
    await fireEvent.click(way);
    expect(all.onchoose).toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: /^Hold fire P$/ }));
    expect(all.onpass).toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: /rest of this turn/ }));
    expect(all.onpassturn).toHaveBeenCalled();
  });

  it('has the usual standing order on itself, where it is not given yet', async () => {
    const onbelow = vi.fn();
    const first = render(ReactionDialog, props({ onbelow }));
    await fireEvent.click(screen.getByRole('button', { name: 'Don’t ask me below 15 %' }));
    expect(onbelow).toHaveBeenCalledOnce();
    first.unmount();
    render(ReactionDialog, props());
    expect(screen.queryByRole('button', { name: /Don’t ask me/ })).toBeNull();
  });

  it('says what came of the last shot of a chain', () => {
    render(ReactionDialog, props({ came: 'No effect: Squad b1 fires at r1' }));
    expect(screen.getByText('No effect: Squad b1 fires at r1')).toBeTruthy();
  });

  it('tells the distance once, and takes it from the option and never from its words', () => {
    const shot = option('at r1', { verb: 'at', unit: 'b1', target: 'r1', label: 'Fire at the house 4 in front', range: 11, distance: '11.4″' });
    render(ReactionDialog, props({ choices: [{ ...choice(0), keys: ['at r1'], option: shot, root: shot }] }));
    expect(screen.getByRole('button', { name: /Squad b1.*30 %/s }).textContent).toContain('range 11.4″');
  });

  it('tells what passing leads to as it tells of a reaction', () => {
    const us = { probability: 0.6, fraction: '', text: '', changes: [], mean: 0 };
    render(ReactionDialog, props({ passOdds: chances(0, { to_us: us }) }));
    expect(screen.getByRole('button', { name: /^Hold fire.*60 %.*P$/s }).textContent).toMatch(/◂ 60 % they to you/);
  });

  it('keeps the place of the odds beside an answer that has none: nothing moves away from under the pointer', async () => {
    const fires = { ...choice(0), keys: ['b1 at r1'], option: ask.options[1]!, root: ask.options[1]! };
    const later = { ...choice(0), keys: ['later'], option: option('later', { unit: 'b1', label: 'Wait until it has done' }) };
    const oddsOf = (each: Choice) => (each.keys[0] === 'later' ? undefined : chances(0.3));
    const { container } = render(ReactionDialog, props({ choices: [fires, later], oddsOf, isPlain: () => true }));
    expect(container.querySelector('.details')!.textContent).toContain('30 %');
    await fireEvent.mouseEnter(screen.getByRole('button', { name: /Wait until/ }));
    expect(container.querySelector('.details')!.textContent).toBe('This rolls no dice.');
  });
});

describe('DiceEntry', () => {
  const dice = { ...normaliseDice({ number: 2, sides: 6 }), what: 'the attack' };

  it('takes clicked faces', async () => {
    const onfaces = vi.fn();
    render(DiceEntry, { dice, onfaces });
    const send = screen.getByRole('button', { name: /Enter die 1 of 2/ });
    expect(send).toHaveProperty('disabled', true);
    await fireEvent.click(screen.getByRole('button', { name: 'Die 1 shows 3' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Die 2 shows 4' }));
    await fireEvent.click(screen.getByRole('button', { name: /Use these dice: 3 4/ }));
    expect(onfaces).toHaveBeenCalledWith('dice 3 4');
    cleanup();
    render(DiceEntry, { dice, onfaces });
    for (const key of ['7', '6', '5', 'Backspace', '1', 'Enter']) await fireEvent.keyDown(document.body, { key });
    expect(onfaces).toHaveBeenLastCalledWith('dice 6 1');
  });

  it('takes typed faces and refuses what a die cannot show', async () => {
    const onfaces = vi.fn();
    render(DiceEntry, { dice: { ...dice, number: 1, sides: 20 }, onfaces });
    const field = screen.getByRole('spinbutton');
    await fireEvent.input(field, { target: { value: '21' } });
    expect(screen.getByRole('button', { name: /Enter die|These are/ })).toHaveProperty('disabled', true);
    await fireEvent.submit(screen.getByRole('form', { name: 'Your dice' }));
    expect(onfaces).not.toHaveBeenCalled();
    await fireEvent.input(field, { target: { value: '20' } });
    await fireEvent.submit(screen.getByRole('form', { name: 'Your dice' }));
    expect(onfaces).toHaveBeenCalledWith('dice 20');
  });

  it('says whose dice they are, what was taken and what a face means', () => {
    const so_far = [logLine({ text: 'Rifle Squad g1 fires' })];
    const meanings = [{ faces: '2 to 7', meaning: 'no effect' }];
    const { container } = render(DiceEntry, {
      dice: { ...dice, owner: 'german', about: 'Rifle Squad a1', so_far, meanings },
      onfaces: vi.fn(),
    });
    expect(container.querySelector('h2')!.textContent).toBe('German: Roll 2d6 for the attack (Rifle Squad a1)');
    expect(container.querySelector('.so-far')!.textContent).toContain('Rifle Squad g1 fires');
    expect(container.querySelector('.meanings')!.textContent).toContain('2 to 7no effect');
    expect(container.querySelectorAll('fieldset')[0]!.classList.contains('next')).toBe(true);
  });

  it('asks for a D3 as a D3', () => {
    render(DiceEntry, { dice: { ...dice, number: 1, sides: 3 }, onfaces: vi.fn() });
    expect(screen.getAllByRole('button', { name: /Die 1 shows/ })).toHaveLength(3);
    expect(screen.getByText(/On a D6, 1–2 counts as 1/)).toBeTruthy();
  });

  it('takes what was drawn by its name', async () => {
    const onfaces = vi.fn();
    const things = [{ title: 'German', word: 'german', number: 2 }, { title: 'American', word: 'american', number: 1 }];
    render(DiceEntry, { dice: { ...dice, number: 1, sides: 3, what: 'order die', things }, onfaces });
    await fireEvent.click(screen.getByRole('button', { name: 'German (2 of 3)' }));
    expect(onfaces).toHaveBeenCalledWith('dice german');
  });
});

describe('HandOver', () => {
  it('waits for the other player', async () => {
    const onready = vi.fn();
    render(HandOver, { side: 'red', onready });
    const button = screen.getByRole('button', { name: /I play red/i });
    expect(document.activeElement).toBe(button);
    await fireEvent.click(button);
    expect(onready).toHaveBeenCalled();
  });
});

describe('OrdersPanel', () => {
  it('gives an order and takes it back', async () => {
    const [onadd, onremove] = [vi.fn(), vi.fn()];
    const order = { side: 'blue', reaction: 'opportunity fire', beyond: 4, below: null };
    render(OrdersPanel, { orders: [order], kinds: ['opportunity fire'], measure: 'hexes', onadd, onremove, onclose: vi.fn() });
    await fireEvent.click(screen.getByRole('button', { name: /Take back/, hidden: true }));
    expect(onremove).toHaveBeenCalledWith(order);
    await fireEvent.click(screen.getByRole('radio', { name: /chance of an effect/, hidden: true }));
    await fireEvent.click(screen.getByRole('button', { name: 'Add this order', hidden: true }));
    expect(onadd).toHaveBeenCalledWith({ reaction: 'opportunity fire', below: 0.25 });
  });
});

describe('Lesson', () => {
  const cue = (more: Partial<Cue> = {}): Cue => ({ offered: '', asked: '', reaction: '', selected: '', answered: '', event: '', over: false, read: false, here: [], mine: '', empty: '', held: '', wanted: '', ...more });
  const step = (id: string, done: Cue, point: string[] = []) => ({ id, title: id, text: `About ${id}.\n\nMore.`, when: cue(), done, point, rule: '1.1' });

  it('shows a step, points at parts of the window, goes on and can be skipped', async () => {
    document.body.insertAdjacentHTML('beforeend', '<div id="log" data-part="log"></div>');
    const guide = new Guide(
      { id: 'l', title: 'First battle', scenario: '', side: 'blue', minutes: 10, opponent: '', seed: '', next: '', script: [], lines: [{ text: 'Go on as you like.', when: cue(), point: [] }], steps: [step('log', cue({ read: true }), ['log']), step('then', cue({ selected: '*' }))] },
      'x',
    );
    const look = (): void => guide.look(null, null, [], false);
    look();
    render(Lesson, { guide, onnext: () => (guide.next(), look()) });
    await tick();
    expect(screen.getByText('About log.')).toBeTruthy();
    expect(document.getElementById('log')!.dataset['pointed']).toBe('');
    await fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('About then.')).toBeTruthy();
    expect(document.getElementById('log')!.dataset['pointed']).toBeUndefined();
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByText('About log.')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Skip the lesson' }));
    expect(screen.getByRole('button', { name: /Show the lesson again/ })).toBeTruthy();
  });
});

describe('OptionsPanel', () => {
  it('lists the units that can act, and every option', async () => {
    const { fake, acting } = seat();
    render(OptionsPanel, { acting });
    expect(screen.getByText('Units that can act')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Squad A1' }));
    expect(fake.selected).toBe('b1');
    expect(screen.getByText('All 6 options')).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Call artillery' , hidden: true}));
    expect(fake.sent).toEqual(['oba']);
  });

  it('shows the orders of the chosen unit with letters and what they unfold to', async () => {
    const { fake, acting } = seat();
    fake.selected = 'b1';
    fake.outlook.prospect = ahead;
    render(OptionsPanel, { acting });
    const fire = screen.getByRole('button', { name: /F Fire 1 IP · 1 target/ });
    expect(screen.getByRole('button', { name: /Move 1 IP · 2 hexes/ })).toBeTruthy();
    await fireEvent.click(fire);
    expect(acting.only).toBe('fire b1');
    expect(fake.sent).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: /^[A-Z] Try for Cover$/ }));
    expect(fake.sent).toEqual(['cover b1']);
  });

  it('finds options by words', async () => {
    const { acting } = seat();
    render(OptionsPanel, { acting });
    await fireEvent.input(screen.getByRole('searchbox', { hidden: true }), { target: { value: 'cover' } });
    expect(screen.getAllByRole('listitem', { hidden: true }).filter((item) => item.textContent?.includes('Cover'))).toHaveLength(1);
    await fireEvent.input(screen.getByRole('searchbox', { hidden: true }), { target: { value: 'zeppelin' } });
    expect(screen.getByText('No options match.')).toBeTruthy();
  });

  it('lays out the rest when asked to', async () => {
    const places = (unit: string) => question(['A1', 'B1', 'C1'].map((place) => option(`place ${unit} ${place}`, { unit, place })), { prompt: `Set up: ${unit}` });
    const { fake, acting } = seat(places('b8'));
    const next = [places('b9'), question([option('hide', { place: 'A1' }), option('show', { place: 'A1' })], { quiet: false }), impulse];
    fake.after = () => fake.ask_(next.shift() ?? null);
    render(OptionsPanel, { acting });
    await fireEvent.click(screen.getByRole('button', { name: 'Place the rest for me' }));
    await settled();
    expect(fake.sent.map((key) => key.split(' ')[0])).toEqual(['place', 'place', 'hide']);
    expect(acting.autoPlace.on).toBe(false);
  });

  it('lays out the rest where a good player would', async () => {
    const places = question(['A1', 'B1', 'C1'].map((place) => option(`place b8 ${place}`, { unit: 'b8', place })), { prompt: 'Set up: b8' });
    const { fake, acting } = seat(places);
    Object.assign(fake, { seat: { advice: (...asked: unknown[]) => Promise.resolve({ chosen: `place b8 B1 ${asked.join(' ')}` }) } });
    fake.after = () => fake.ask_(impulse);
    render(OptionsPanel, { acting });
    await fireEvent.click(screen.getByRole('button', { name: 'Place the rest for me' }));
    await settled();
    expect(fake.sent).toEqual([`place b8 B1 ${places.seq}`]);
  });
});

describe('UndoBar', () => {
  it('has nothing to press for a watcher', () => {
    const { fake, acting } = seat(null);
    Object.assign(fake, { watching: true });
    render(UndoBar, { acting });
    expect(screen.getByText('You’re watching this battle.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Pass|Undo/ })).toBeNull();
  });

  it('tells how long one has waited for the other side, once it is long', async () => {
    vi.useFakeTimers();
    try {
      const { fake, acting } = seat(null);
      fake.update = { ...fake.update, waiting: 'other' };
      const { container } = render(UndoBar, { acting });
      const since = () => container.querySelector('[data-part=since]')?.textContent ?? '';
      await vi.advanceTimersByTimeAsync(1500);
      expect(since()).toBe('');
      await vi.advanceTimersByTimeAsync(2000);
      expect(since()).toBe('3 s');
      // What is seen to happen begins it anew.
      fake.log = [...fake.log];
      await vi.advanceTimersByTimeAsync(1000);
      expect(since()).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });

  it('never cuts a short word, and puts what is in brackets below it', () => {
    const orders = [option('fire', { unit: 'b1', label: 'Fire' }), option('rally', { unit: 'b1', label: 'Rally (no pins to lose)' })];
    const { acting } = seat(question(orders, { quiet: false }));
    const { container } = render(UndoBar, { acting });
    const all = [...container.querySelectorAll('.quick')];
    const words = all.map((each) => [each.classList.contains('brief'), each.querySelector('.rest')?.textContent ?? '']);
    expect(words).toEqual([[true, ''], [true, 'no pins to lose']]);
  });

  it('says what is asked and keeps pass and undo in sight', async () => {
    const { fake, acting } = seat();
    fake.update = { ...fake.update, may_undo: 'a die has been rolled since' };
    render(UndoBar, { acting });
    expect(screen.getByRole('region', { name: 'Your move' }).textContent).toContain('Your Impulse (7 left): choose a unit');
    const undo = screen.getByRole('button', { name: /Undo/ });
    expect(undo.getAttribute('aria-disabled')).toBe('true');
    expect(undo.title).toBe('You can’t undo: a die has been rolled since');
    await fireEvent.click(undo);
    expect(fake.sent).toEqual([]);
    expect(acting.messages.notice).toBe('You can’t undo: a die has been rolled since.');
    await fireEvent.click(screen.getByRole('button', { name: /^Pass/ }));
    expect(fake.sent).toEqual(['pass']);
  });

  it('asks the other side where people play and the answer cannot be undone', async () => {
    const { fake, acting } = seat();
    fake.update = { ...fake.update, may_undo: 'play has gone on since', may_ask_back: '' };
    render(UndoBar, { acting });
    const button = screen.getByRole('button', { name: /Ask to take back/ });
    expect(button.getAttribute('aria-disabled')).toBeNull();
    await fireEvent.click(button);
    expect(fake.sent).toEqual(['take-back ask']);
    fake.update = { ...fake.update, may_ask_back: 'you have already asked' };
    await settled();
    expect(screen.getByRole('button', { name: /Undo/ }).title).toBe('You can’t undo: play has gone on since');
  });

  it('tells of a take-back and lets the other side decide', async () => {
    const { fake } = seat();
    const wish = { side: 'red', state: 'asked' as const, lines: 2 };
    fake.update = { ...fake.update, take_back: wish };
    const { container } = render(TakeBack, { table: fake as unknown as BattleStore });
    expect(screen.getByRole('status').textContent).toContain('Red asks to take the last answer back. 2 log lines would be removed.');
    await fireEvent.click(screen.getByRole('button', { name: 'Allow it' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Refuse' }));
    expect(fake.sent).toEqual(['take-back grant', 'take-back refuse']);
    fake.update = { ...fake.update, take_back: { ...wish, side: 'blue' } };
    await settled();
    expect(container.textContent).toContain('Waiting for Red.');
    await fireEvent.click(screen.getByRole('button', { name: 'Never mind' }));
    expect(fake.sent.at(-1)).toBe('take-back withdraw');
    for (const [state, words] of [['granted', 'Red let you take'], ['refused', 'Red didn’t allow']] as const) {
      fake.update = { ...fake.update, take_back: { side: 'blue', state, lines: 0 } };
      await settled();
      expect(container.textContent).toContain(words);
      expect(screen.queryByRole('button')).toBeNull();
    }
  });

  it('offers what belongs to no unit where nothing can be passed, but not by the key that passes', async () => {
    const { fake, acting } = seat(question([option('move b1', { unit: 'b1', place: 'A1' }), option('move b2', { unit: 'b2', place: 'A2' }), option('oba', { label: 'Call artillery' })]));
    render(UndoBar, { acting });
    acting.answers.pass();
    expect(fake.sent).toEqual([]);
    expect(screen.queryByRole('button', { name: /Pass/ }), 'beside it one that cannot be pressed').toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Call artillery' }));
    expect(fake.sent).toEqual(['oba']);
  });

  it('carries the stop of a unit in the middle of its move', async () => {
    const { fake, acting } = seat(
      question([...['B1', 'B2'].map((place) => option(`step ${place}`, { unit: 'b1', place, cost: '1 MP' })), option('stop', { unit: 'b1', place: 'A1', label: 'Stop here' })], { quiet: false }),
    );
    render(UndoBar, { acting });
    expect(screen.queryByRole('button', { name: /Pass/ }), 'a second button that cannot be pressed').toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: /Stop here/ }));
    expect(fake.sent).toEqual(['stop']);
  });
});

describe('ending the turn', () => {
  const verb = (name: string) => ({ verb: name, title: name, text: '', rule: '', letter: '', odds: true, idle: name === 'burn' || name === 'pass' });
  const mine = (way: string, seq: number): AskView =>
    question([...['b1', 'b2'].map((unit) => option(`move ${unit}`, { unit, verb: 'move' })), option(way, { verb: way, label: way === 'burn' ? 'Spend a point without acting' : 'Pass' })], { seq });
  function atTurn(ask: AskView): { fake: FakeStore; acting: Acting } {
    const both = seat(ask);
    both.fake.battle = { ...both.fake.battle, verbs: ['move', 'burn', 'pass'].map(verb) };
    both.fake.view = { ...both.fake.view, turn: 3 };
    render(ActOverlay, { acting: both.acting });
    render(UndoBar, { acting: both.acting });
    return both;
  }

  it('asks whether it is meant, lets every go by, leaves reactions alone, and ends with the turn', async () => {
    const { fake, acting } = atTurn(mine('burn', 1));
    await fireEvent.click(screen.getByRole('button', { name: 'End my turn' }));
    expect(fake.sent).toEqual([]);
    fake.after = () => fake.ask_(null);
    await fireEvent.click(screen.getByRole('button', { name: 'Press again to end it' }));
    expect([fake.sent, acting.endTurn.on]).toEqual([['burn'], true]);
    fake.ask_(question([option('pass', { verb: 'pass', label: 'Hold fire' }), option('b1 at r1', { unit: 'b1' })], { seq: 2, reaction: 'opportunity fire' }));
    await settled();
    expect(fake.sent, 'a reaction is the player’s own').toEqual(['burn']);
    fake.ask_(mine('pass', 3));
    await settled();
    expect(fake.sent).toEqual(['burn', 'pass']);
    fake.view = { ...fake.view, turn: 2 };
    fake.ask_(mine('burn', 4));
    await settled();
    expect([fake.sent, acting.endTurn.on]).toEqual([['burn', 'pass'], false]);
  });

  it('is stopped by its button and by Escape, and to do nothing is not the largest button', async () => {
    const { fake, acting } = atTurn(mine('burn', 1));
    expect(screen.getByRole('button', { name: 'Spend a point without acting' }).className).toContain('slight');
    acting.endTurn.press();
    fake.after = () => fake.ask_(null);
    acting.endTurn.press();
    await settled();
    await fireEvent.click(screen.getByRole('button', { name: /Stop/ }));
    fake.ask_(mine('burn', 2));
    await settled();
    expect([fake.sent, acting.endTurn.on]).toEqual([['burn'], false]);
    acting.endTurn.press();
    acting.cancel();
    expect(acting.endTurn.armed).toBe(false);
  });
});

describe('the table played', () => {
  function play(ask = impulse): { fake: FakeStore; acting: Acting } {
    const both = seat(ask);
    render(ActOverlay, { acting: both.acting });
    return both;
  }
  const press = (key: string, more: object = {}): Promise<boolean> => fireEvent.keyDown(document.body, { key, ...more });

  it('moves by two clicks, with the path and who could react', async () => {
    const { fake, acting } = play();
    acting.clicks.unit('b1');
    fake.outlook.prospect = ahead;
    await settled();
    expect(acting.layers.reach.map((reach) => [reach.place, reach.cost, reach.danger ?? false])).toEqual([
      ['B1', '1', false],
      ['B2', '2½', true],
    ]);
    acting.clicks.place('B2');
    await settled();
    expect(acting.layers.path).toEqual({ places: ['A1', 'B1', 'B2'], label: '2½ MP' });
    expect(screen.getByText(/May react on the way: Squad/)).toBeTruthy();
    expect(screen.getByText(/Rolls on the way: bog/)).toBeTruthy();
    acting.clicks.place('B2');
    await settled();
    expect(fake.sent).toEqual(['move b1', 'step B1', 'step B2']);
  });

  it('goes on with a plan when the other side let it pass, and stops when something was rolled', async () => {
    for (const rolled of [false, true]) {
      const { fake, acting } = play();
      fake.outlook.prospect = ahead;
      fake.selected = 'b1';
      await settled();
      fake.takes = 2;
      fake.after = () => fake.ask_(null);
      acting.clicks.place('B2');
      await press('Enter');
      await settled();
      expect(fake.sent).toEqual(['move b1', 'step B1']);
      if (rolled) fake.log = [{ text: '', side: 'red', rules: [], faces: [3, 4], dice: '2d6', tallies: [], kind: 'Rolled', units: [], places: [], chance: 0, turn: 0, meaning: '', needed: '', total: 0, whom: '', change: '', harm: false, fatal: false }];
      fake.takes = Infinity;
      fake.ask_(question([option('step B2', { unit: 'b1', place: 'B2' }), option('stop', { unit: 'b1', place: 'A1' })], { quiet: false, seq: 9 }));
      await settled();
      expect(fake.sent.includes('step B2')).toBe(!rolled);
      expect(acting.messages.notice !== '').toBe(rolled);
      cleanup();
    }
  });

  it('shows an assault with its odds before it is done, and one that stops short too', async () => {
    const run = question(
      [
        option('assault r1', { verb: 'assault', unit: 'b1', target: 'r1', label: 'Assault Squad r1 (would stop short: no way to it within 12″)' }),
        option('move', { verb: 'move', unit: 'b1', label: 'Move' }),
      ],
      { prompt: 'Squad b1 runs: an assault?', quiet: false },
    );
    const { fake, acting } = seat(run);
    fake.known = { 'assault r1': chances(0.2) };
    render(ActOverlay, { acting });
    await settled();
    acting.answers.order(run.options[0]!);
    await settled();
    expect(fake.sent).toEqual([]);
    const card = screen.getByRole('region', { name: 'Squad → Squad' });
    expect(card.textContent).toContain('would stop short: no way to it within 12″');
    expect(card.textContent).toContain('you to them');
    acting.confirm();
    await settled();
    expect(fake.sent).toEqual(['assault r1']);
  });

  it('fires by the best way, with the odds shown before', async () => {
    const { fake, acting } = play();
    fake.selected = 'b1';
    fake.outlook.prospect = ahead;
    await settled();
    expect(acting.layers.targets).toMatchObject([{ unit: 'r1', place: 'C1', text: '20 %' }]);
    acting.clicks.unit('r1');
    await settled();
    expect(screen.getAllByRole('radio').map((radio) => radio.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      '1 Fire at r1 LMG ▸ 45 % you to them',
      '2 Fire at r1 own ▸ 20 % you to them',
    ]);
    await press('Enter');
    await settled();
    expect(fake.sent).toEqual(['fire b1', 'at r1 lmg']);
  });

  it('shows the odds of every way to whoever points at a target before it is known what the unit can do', async () => {
    const { fake } = play();
    fake.selected = 'b1';
    fake.hovered = { unit: 'r1' };
    await new Promise((done) => setTimeout(done, 150)); // the pointer rests
    fake.outlook.prospect = ahead;
    await settled();
    expect(screen.getAllByRole('radio').map((radio) => radio.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      'Fire at r1 LMG ▸ 45 % you to them',
      'Fire at r1 own ▸ 20 % you to them',
    ]);
  });

  it('chooses another way by its number and cancels by Escape', async () => {
    const { fake, acting } = play();
    fake.selected = 'b1';
    fake.outlook.prospect = ahead;
    await settled();
    acting.clicks.unit('r1');
    await settled();
    await press('2');
    expect(acting.pending?.index).toBe(1);
    await press('Escape');
    expect(acting.pending).toBeNull();
    expect(fake.selected).toBe('b1');
    await press('Escape');
    expect(fake.selected).toBeNull();
    expect(fake.sent).toEqual([]);
  });

  it('tells why not', async () => {
    const { fake, acting } = play();
    fake.bars = [{ reason: 'fire: out of range', rule: '88.2', source: '' }];
    fake.selected = 'b1';
    fake.outlook.prospect = ahead;
    await settled();
    acting.clicks.unit('r2');
    await settled();
    expect(fake.sent).toEqual(['why b1 r2']);
    expect(screen.getByText(/fire: out of range/, { selector: 'li' })).toBeTruthy();
    acting.clicks.context({ unit: 'b2', place: 'A2' });
    await settled();
    expect(fake.sent.at(-1)).toBe('why b2');
  });

  it('takes a click that comes before it is known what the unit can do', async () => {
    for (const [known, cancelled] of [[true, false], [false, false], [true, true]]) {
      const { fake, acting } = play();
      let arrive = (): void => undefined;
      fake.outlook.looking = new Promise((done) => (arrive = done));
      fake.selected = 'b1';
      await settled();
      acting.clicks.unit('r1');
      await settled();
      expect(acting.messages.why).toBeNull();
      expect(acting.pending).toBeNull();
      if (cancelled) acting.cancel();
      if (known) fake.outlook.prospect = ahead;
      fake.outlook.looking = null;
      arrive();
      await settled();
      expect(acting.pending?.spot.unit).toBe(known && !cancelled ? 'r1' : undefined);
      expect(fake.sent).toEqual(known ? [] : ['why b1 r1']);
      cleanup();
    }
  });

  it('takes back a whole order, as far as the question that stands by itself, or one step of it', async () => {
    const { fake } = play();
    const middle = question([option('step B1', { unit: 'b1', place: 'B1' })], { quiet: false, prompt: 'Move: 2 MP left' });
    const asks = [middle, impulse];
    fake.after = () => fake.ask_(asks.shift() ?? impulse);
    fake.ask_(middle);
    await settled();
    await press('u');
    await settled();
    expect(fake.sent, 'through the middle of the order to its beginning').toEqual(['undo', 'undo']);
    asks.push(middle, impulse);
    fake.ask_(middle);
    await settled();
    await press('U', { shiftKey: true });
    await settled();
    expect(fake.sent).toEqual(['undo', 'undo', 'undo']);
  });

  it('plays by keys alone', async () => {
    const { fake, acting } = play();
    await press('n');
    expect(fake.selected).toBe('b1');
    fake.outlook.prospect = ahead;
    await settled();
    await press('ArrowRight');
    expect(acting.pointer.cursor).toBe('A1');
    await press('ArrowRight');
    expect(acting.pointer.cursor).toBe('B1');
    await press('Enter');
    await press('Enter');
    await settled();
    expect(fake.sent).toEqual(['move b1', 'step B1']);
    await press('u');
    await press('z', { ctrlKey: true });
    expect(fake.sent.slice(2)).toEqual(['undo', 'undo']);
    await press(' ');
    expect(fake.sent).toHaveLength(4);
    await press('p');
    expect(fake.sent.at(-1)).toBe('pass');
    await press('?');
    await tick();
    expect(acting.dialog).toBe('help');
  });

  it('unfolds an order by its letter', async () => {
    const { fake, acting } = play();
    fake.selected = 'b1';
    fake.outlook.prospect = ahead;
    await settled();
    await press('f');
    expect(acting.only).toBe('fire b1');
    expect(acting.layers.reach).toEqual([]);
  });

  it('passes a reaction by the space bar, and for the rest of the turn by an order', async () => {
    const reaction = question(
      [option('pass', { label: 'Hold fire' }), option('b1 at r1', { verb: 'at', unit: 'b1', target: 'r1', place: 'C1' })],
      { reaction: 'opportunity fire', prompt: 'Opportunity Fire?', quiet: false },
    );
    const reveal = vi.fn();
    const fake = new FakeStore(reaction, units);
    fake.known = { 'b1 at r1': chances(0.3) };
    const acting = new Acting(fake.table, { reveal });
    render(ActOverlay, { acting });
    await settled();
    await vi.waitFor(() => expect(reveal).toHaveBeenCalledWith(['C1'], 0));
    expect(screen.getByRole('button', { name: /30 %/ })).toBeTruthy();
    await press(' ');
    expect(fake.sent).toEqual(['pass']);
    await fireEvent.click(screen.getByRole('button', { name: /rest of this turn/ }));
    await settled();
    expect(fake.orders).toEqual([[{ reaction: 'opportunity fire' }]]);
    expect(acting.standing.isBrief({ reaction: 'opportunity fire' })).toBe(true);
    fake.update = { ...fake.update, orders: [{ side: 'blue', reaction: 'opportunity fire', beyond: null, below: null }] };
    fake.view = { ...fake.view, turn: fake.view.turn + 1 };
    await settled();
    expect(fake.orders.at(-1)).toEqual([]);
  });

  it('ends a move by choosing another unit', async () => {
    const { fake, acting } = play(
      question([option('step B1', { unit: 'b1', place: 'B1', cost: '1 MP' }), option('step B2', { unit: 'b1', place: 'B2', cost: '1 MP' }), option('stop', { unit: 'b1', place: 'A1' })], { quiet: false }),
    );
    await settled();
    fake.after = () => fake.ask_({ ...impulse, seq: 8 });
    acting.clicks.unit('b2');
    await settled();
    expect(fake.sent).toEqual(['stop']);
    expect(fake.selected).toBe('b2');
  });

  it('waits a moment before it reckons what is under the pointer', async () => {
    vi.useFakeTimers();
    const { fake, acting } = play();
    fake.selected = 'b1';
    fake.outlook.prospect = { ...ahead, branches: ahead.branches.slice(1) };
    flushSync();
    await vi.advanceTimersByTimeAsync(0);
    fake.asked = [];
    fake.hovered = { unit: 'r1', place: 'C1' };
    flushSync();
    await vi.advanceTimersByTimeAsync(100);
    expect(fake.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(40);
    expect(fake.asked.length).toBeGreaterThan(0);
    expect(acting.shown?.choices).toHaveLength(2);
  });
});
