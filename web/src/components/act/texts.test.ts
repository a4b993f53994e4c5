import { describe, expect, it } from 'vitest';
import { option } from '../../lib/testing-asks';
import type { OddsView, StandingOrder, VerbHelp } from '../../lib/types';
import { freeCorner } from './corners';
import { bestFirst, fine, hardestFirst, harmTo, isWorthTelling, outcomesOf, outOfFight, percent, spoken, contrast } from './odds';
import { describe as describeOption, findOptions, groupByVerb, lettersFor, withHint, parted } from './options';
import { asNew, makeOrder, sayOrder, withOrder, withoutOrder } from './orders';

const help = (verb: string, title: string, letter = ''): VerbHelp => ({ verb, title, text: `${title}.`, rule: '1.1', letter, odds: true });
const odds = (effect: number, outcomes: [number, string][]): OddsView => ({
  keys: [],
  exact: true,
  effect: { probability: effect, fraction: '', text: '', results: [] },
  outcomes: outcomes.map(([probability, text]) => ({ probability, fraction: '1/2', text, results: [] })),
  parts: [],
  tallies: [],
  anyway: [],
  fatal: [],
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
    expect(spoken(many)).toMatch(/^50 % chance of an effect\. 40 % o1/);
  });

  it('has nothing to tell where nothing is rolled', () => {
    expect(isWorthTelling(odds(0, [[1, 'no effect']]))).toBe(false);
    expect(isWorthTelling(odds(0.5, [[0.5, 'a'], [0.5, 'b']]))).toBe(true);
  });

  it('sorts by the chance of an effect, the unknown last', () => {
    const known = new Map([['a', odds(0.2, [])], ['c', odds(0.6, [])]]);
    expect(bestFirst(['a', 'b', 'c'], (name) => known.get(name))).toEqual(['c', 'a', 'b']);
  });

  it('puts what harms a target most before what only has some effect on it', () => {
    const told = (outcomes: [number, string[]][]): OddsView => ({
      ...odds(outcomes.reduce((sum, [chance, results]) => sum + (results.length ? chance : 0), 0), []),
      outcomes: outcomes.map(([probability, results]) => ({ probability, fraction: '', text: '', results })),
      fatal: ['Tank r1 is a wreck in B6', 'Tank b1 is destroyed'],
    });
    const gun = told([[0.7, []], [0.25, ['Tank r1 is a wreck in B6', 'The crew survives']], [0.05, ['Tank r1 is shaken']]]);
    const rifles = told([[0.4, []], [0.6, ['Tank r1 takes 1 pin']]]);
    const own = told([[1, ['Tank b1 is destroyed']]]);
    expect(outOfFight(gun, 'Tank r1')).toBeCloseTo(0.25);
    expect(harmTo(gun, 'Tank r1')).toBeCloseTo(1.05);
    expect([harmTo(rifles, 'Tank r1'), harmTo(own, 'Tank r1')]).toEqual([0.6, 0]);
    expect(harmTo(told([[1, ['Squad r2 loses 2 men']]]), 'Squad r2')).toBe(2);
    expect(harmTo(told([[1, ['Squad r12 loses 2 men', 'Squad r1: the armour holds']]]), 'Squad r1')).toBe(1);
    expect(outOfFight({ ...gun, fatal: ['Tank r10 is destroyed'], outcomes: [{ probability: 1, fraction: '', text: '', results: ['Tank r10 is destroyed'] }] }, 'Tank r1')).toBe(0);
    const known = new Map([['gun', gun], ['rifles', rifles], ['own', own]]);
    expect(hardestFirst(['unknown', 'own', 'rifles', 'gun'], (name) => known.get(name), 'Tank r1')).toEqual(['gun', 'rifles', 'own', 'unknown']);
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

it('tells what another answer would change: figures that stand by themselves, and chances', () => {
  const odds = (...parts: [number, string][]): OddsView => ({
    keys: [],
    exact: true,
    effect: { probability: 1, fraction: '', text: '', results: [] },
    outcomes: [],
    tallies: [],
    anyway: [],
    fatal: [],
    parts: parts.map(([probability, text]) => ({ probability, text, fraction: '', results: [] })),
  });
  const down = odds([1, 'Squad g4 takes 1 pin'], [0.99, 'Squad g4 loses 4.5 men on average'], [0.2, 'Squad g4 is destroyed']);
  const stands = odds([1, 'Squad g4 takes 1 pin'], [1, 'Squad g4 loses 8 men on average'], [0.7, 'Squad g4 is destroyed']);
  expect(contrast(down, stands)).toEqual(['20 % Squad g4 is destroyed', 'Squad g4 loses 4.5 men on average']);
  expect(contrast(stands, down)).toEqual(['70 % Squad g4 is destroyed', 'Squad g4 loses 8 men on average']);
  expect(contrast(down, down)).toEqual([]);
});
