import { describe, expect, it } from 'vitest';
import { option } from '../../../test/asks';
import type { Chance, ChangeView, OddsView, StandingOrder, VerbHelp } from '../../lib/types';
import { freeCorner } from './corners';
import { bestFirst, contrast, fine, hardestFirst, harmTo, headline, isWorthTelling, outcomesOf, outOfFight, partsBySide, percent, spoken, worthOf } from './odds';
import { describe as describeOption, findOptions, groupByVerb, lettersFor, withHint, parted } from './options';
import { asNew, makeOrder, sayOrder, withOrder, withoutOrder } from './orders';

const help = (verb: string, title: string, letter = ''): VerbHelp => ({ verb, title, text: `${title}.`, rule: '1.1', letter, odds: true, idle: false });
const change = (unit: string, what: string, more: Partial<ChangeView> = {}): ChangeView => ({
  text: `${unit} ${what}`,
  what,
  unit,
  side: unit.startsWith('r') ? 'red' : 'blue',
  amount: 0,
  harm: true,
  fatal: false,
  ...more,
});
const chance = (probability: number, text: string, changes: ChangeView[] = [], mean = 0): Chance => ({ probability, fraction: '1/2', text, changes, mean });
const odds = (effect: number, outcomes: [number, string][], more: Partial<OddsView> = {}): OddsView => ({
  keys: [],
  side: 'blue',
  exact: true,
  samples: 0,
  to_them: chance(effect, ''),
  to_us: chance(0, ''),
  besides: chance(0, ''),
  outcomes: outcomes.map(([probability, text]) => chance(probability, text)),
  parts: [],
  tallies: [],
  anyway: [],
  assumed: [],
  reached: 1,
  ends: [],
  ...more,
});

describe('chances', () => {
  it('never says certain or never when it is not', () => {
    expect([0, 0.004, 0.4051, 0.996, 1].map(percent)).toEqual(['0 %', '<1 %', '41 %', '>99 %', '100 %']);
    expect([0.0001, 0.4051, 0.99999].map(fine)).toEqual(['<0.1 %', '40.5 %', '>99.9 %']);
  });

  it('shows the likeliest first and sums up the rest', () => {
    const many = odds(0.5, [0.05, 0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05].map((p, at) => [p, `o${at}`]));
    const list = outcomesOf(many, 6);
    expect(list.shown[0]!.text).toBe('o1');
    expect(list.shown).toHaveLength(6);
    expect(list.rest).toBe(2);
    expect(list.restChance).toBeCloseTo(0.1);
    expect(outcomesOf(odds(1, [[1, 'x']])).rest).toBe(0);
    expect(spoken(many)).toMatch(/^You to them 50 %, they to you 0 %\. 40 % o1/);
  });

  it('has nothing to tell where nothing is rolled', () => {
    expect(isWorthTelling(odds(0, [[1, 'no effect']]))).toBe(false);
    expect(isWorthTelling(odds(0.5, [[0.5, 'a'], [0.5, 'b']]))).toBe(true);
    expect(isWorthTelling(odds(0, [], { outcomes: [chance(1, 'b1 cannot reach r1', [change('b1', 'cannot reach {}', { harm: false })])] }))).toBe(true);
  });

  it('never adds up what one does and what one suffers', () => {
    const assault = odds(0.2, [], { to_us: chance(0.993, '') });
    expect(headline(assault)).toBe('You to them 20 %, they to you 99 %');
    expect(headline(odds(0, [], { besides: chance(0.58, '') }))).toBe('58 % chance of an effect');
    const parts = [chance(0.9, '', [change('b1', 'is wiped out')]), chance(0.2, '', [change('r1', 'takes #')]), chance(0.5, '', [change('b1', 'rallies', { harm: false })])];
    const { them, us, besides } = partsBySide({ ...assault, parts });
    expect([them, us, besides].map((list) => list.map((part) => part.probability))).toEqual([[0.2], [0.9], [0.5]]);
  });

  it('sorts by what is done to them and not to us, the unknown last', () => {
    const known = new Map([['a', odds(0.2, [])], ['c', odds(0.6, [])], ['d', odds(0.7, [], { to_us: chance(0.9, '') })]]);
    expect(bestFirst(['a', 'b', 'd', 'c'], (name) => known.get(name))).toEqual(['c', 'a', 'd', 'b']);
  });

  it('puts what harms a target most before what only has some effect on it', () => {
    const told = (outcomes: [number, ChangeView[]][]): OddsView =>
      odds(outcomes.reduce((sum, [chance, changes]) => sum + (changes.length ? chance : 0), 0), [], {
        outcomes: outcomes.map(([probability, changes]) => chance(probability, '', changes)),
      });
    const gun = told([
      [0.7, []],
      [0.25, [change('r1', 'is a wreck', { fatal: true }), change('r1', 'has its crew survive', { harm: false })]],
      [0.05, [change('r1', 'is shaken')]],
    ]);
    const rifles = told([[0.4, []], [0.6, [change('r1', 'takes #', { amount: 1 })]]]);
    const own = told([[1, [change('b1', 'is destroyed', { fatal: true })]]]);
    expect(outOfFight(gun, 'r1')).toBeCloseTo(0.25);
    expect(outOfFight(own, 'r1')).toBe(0);
    expect(harmTo(gun, 'r1')).toBeCloseTo(1.05);
    expect([harmTo(rifles, 'r1'), harmTo(own, 'r1')]).toEqual([0.6, 0]);
    expect(harmTo(told([[1, [change('r2', 'loses #', { amount: 2 })]]]), 'r2')).toBe(2);
    expect(worthOf(rifles, 'r1')).toEqual({ mean: 0.6, doubt: 0 });
    expect(worthOf(rifles)).toEqual({ mean: 0.6, doubt: 0 });
    const doubt = expect.closeTo(3 * (Math.sqrt((0.6 * 0.4) / 24) + 1 / 24));
    expect(worthOf({ ...rifles, exact: false, samples: 24 }, 'r1')).toEqual({ mean: 0.6, doubt });
    expect(worthOf({ ...rifles, exact: false, samples: 24 })).toEqual({ mean: 0.6, doubt });
    const known = new Map([['gun', gun], ['rifles', rifles], ['own', own]]);
    expect(hardestFirst(['unknown', 'own', 'rifles', 'gun'], (name) => known.get(name), 'r1')).toEqual(['gun', 'rifles', 'own', 'unknown']);
  });
});

describe('options in groups', () => {
  const verbs = [help('fire', 'Fire', 'f'), help('pivot', 'Pivot', 'p'), help('face', 'Face', 'f')];

  it('keeps the order in which they came, with help', () => {
    const groups = groupByVerb([option('fire b1'), option('sell_out x'), option('fire b2')], verbs);
    expect(groups.map((group) => [group.title, group.options.length])).toEqual([['Fire', 2], ['Sell out', 1]]);
    expect(groups[0]).toMatchObject({ text: 'Fire.', rule: '1.1', letter: 'f' });
  });

  it('gives every verb a letter of its own, and none that the table needs', () => {
    const letters = lettersFor(['fire', 'pivot', 'face', 'nn'], verbs);
    expect(Object.fromEntries(letters)).toEqual({ fire: 'f', pivot: 'i', face: 'a' });
  });

  it('finds an option by its unit, place or words', () => {
    const names = (id: string): string => ({ b1: 'Rifle Squad b1' })[id] ?? id;
    const all = [option('fire b1', { unit: 'b1', label: 'Fire' }), option('step C4', { place: 'C4', label: 'Go to C4' })];
    expect(findOptions(all, 'rifle fire', names)).toHaveLength(1);
    expect(findOptions(all, 'c4', names)).toHaveLength(1);
    expect(findOptions(all, ' ', names)).toHaveLength(2);
    expect(findOptions(all, 'tank', names)).toHaveLength(0);
    expect(describeOption(all[0]!, names)).toBe('Rifle Squad b1: Fire');
    expect(describeOption(option('x', { unit: 'b1', label: 'Rifle Squad b1' }), names)).toBe('Rifle Squad b1');
  });
});

it('joins a question and a hint', () => {
  expect(withHint('Your Impulse (7 left)', 'choose a unit')).toBe('Your Impulse (7 left): choose a unit');
  expect(withHint('b1: fire at what?', 'click a target')).toBe('b1: fire at what? Click a target.');
  expect(withHint('Move b1: 3 MP left', 'click a hex')).toBe('Move b1: 3 MP left. Click a hex.');
  expect(withHint('Set up', '')).toBe('Set up');
});

describe('standing orders', () => {
  const standing = (order: Partial<StandingOrder>): StandingOrder => ({ side: 'blue', reaction: '', beyond: null, below: null, ...order });

  it('makes them from a form', () => {
    expect(makeOrder('opportunity fire', 'always', 4)).toEqual({ reaction: 'opportunity fire' });
    expect(makeOrder('', 'beyond', 4)).toEqual({ reaction: '', beyond: 4 });
    expect(makeOrder('', 'below', 40)).toEqual({ reaction: '', below: 0.4 });
    expect(() => makeOrder('', 'beyond', -1)).toThrow(/whole number from 0/);
    expect(() => makeOrder('', 'below', 0)).toThrow(/percentage/);
    expect(() => makeOrder('', 'below', Number.NaN)).toThrow(/percentage/);
  });

  it('says them in words', () => {
    expect(sayOrder({ reaction: 'opportunity fire' })).toBe('Always pass “opportunity fire”.');
    expect(sayOrder(standing({ beyond: 0 }))).toBe('Pass every reaction when the range is more than 0.');
    expect(sayOrder(standing({ below: 0.4 }))).toBe('Pass every reaction when the chance of an effect is below 40 %.');
  });

  it('adds one once, and takes it back', () => {
    const orders = [standing({ reaction: 'a' }), standing({ beyond: 3 })];
    expect(withOrder(orders, { reaction: 'b' })).toEqual([{ reaction: 'a' }, { reaction: '', beyond: 3 }, { reaction: 'b' }]);
    expect(withOrder(orders, { reaction: 'a' })).toHaveLength(2);
    expect(withoutOrder(orders, orders[1]!)).toEqual([{ reaction: 'a' }]);
    expect(asNew(standing({ below: 0.2 }))).toEqual({ reaction: '', below: 0.2 });
  });
});

describe('a card over the map', () => {
  const box = { width: 900, height: 600 };
  const card = { width: 300, height: 200 };

  it('lies where it hides least', () => {
    expect(freeCorner(box, card, [])).toBe('top left');
    expect(freeCorner(box, card, [{ x: 50, y: 50, weight: 1 }])).toBe('top right');
    const three = [{ x: 50, y: 50, weight: 1 }, { x: 850, y: 50, weight: 100 }, { x: 50, y: 550, weight: 2 }];
    expect(freeCorner(box, card, three)).toBe('bottom right');
    expect(freeCorner(box, card, [...three, { x: 850, y: 550, weight: 5 }])).toBe('top left');
  });

  it('keeps above what lies below already', () => {
    expect(freeCorner(box, card, [{ x: 50, y: 50, weight: 1 }, { x: 850, y: 50, weight: 1 }, { x: 50, y: 350, weight: 1 }], 200)).toBe('bottom right');
    expect(freeCorner(box, card, [{ x: 50, y: 50, weight: 1 }, { x: 850, y: 50, weight: 1 }], 500)).toBe('top left');
  });
});

it('parts a label that is too long for a button', () => {
  expect(parted('Rally (broken)')).toEqual({ head: 'Rally (broken)', rest: '' });
  expect(parted('Call mortars (1 left)')).toEqual({ head: 'Call mortars', rest: '1 left' });
  expect(parted('Assault StuG III Ausf G g10 (out of reach: would stop short)')).toEqual({
    head: 'Assault StuG III Ausf G g10',
    rest: 'out of reach: would stop short',
  });
  const long = 'Rocket Salvo: Carry out one strike at once without spending a point.';
  expect(parted(long)).toEqual({ head: 'Rocket Salvo', rest: 'Carry out one strike at once without spending a point.' });
});

it('tells what another answer would change: amounts and chances', () => {
  const made = (pins: number, men: [number, number], gone: number): OddsView =>
    odds(1, [], {
      parts: [
        chance(pins, 'Squad r4 takes 1 pin', [change('r4', 'takes #')], 1),
        chance(men[0], `Squad r4 loses ${men[1]} men on average`, [change('r4', 'loses #')], men[1]),
        chance(gone, 'Squad r4 is destroyed', [change('r4', 'is destroyed')]),
      ],
    });
  const down = made(1, [0.99, 4.5], 0.2);
  const stands = made(1, [1, 8], 0.7);
  expect(contrast(down, stands)).toEqual(['20 % Squad r4 is destroyed', 'Squad r4 loses 4.5 men on average']);
  expect(contrast(stands, down)).toEqual(['70 % Squad r4 is destroyed', 'Squad r4 loses 8 men on average']);
  expect(contrast(down, down)).toEqual([]);
});
