import { expect, test } from 'vitest';
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseInquiry from '../src/lib/normalise-inquiry';
import * as normaliseView from '../src/lib/normalise-view';

test('a unit that says little is complete', () => {
  const unit = normaliseView.unit({ id: 'g1', side: 'german', name: 'Squad g1', symbol: '1', place: 'D5' });
  expect(unit).toMatchObject({ facing: 0, states: [], badges: [], with_unit: '', stats: {}, short: '', values: '' });
  expect(unit.place).toBe('D5');
});

test('what the server says is kept over the default', () => {
  expect(normaliseView.option({ key: 'fire a b', range: 3, target: 'b' })).toMatchObject({ range: 3, target: 'b', rule: '' });
});

test('an option without a label is called by its key', () => {
  expect(normaliseView.option({ key: 'pass' }).label).toBe('pass');
  expect(normaliseView.option({ key: 'pass', label: 'Hold fire' }).label).toBe('Hold fire');
  expect(normaliseView.option({ key: 'pass' }).range).toBe(-1);
});

test('records within records are filled in', () => {
  const update = normaliseView.update({
    number: 3,
    view: {
      units: [{ id: 'g1' }],
      markers: [{ kind: 'smoke', place: 'A1' }],
      ask: { seq: 7, side: 'german', prompt: 'Fire?', options: [{ key: 'pass' }], dice: { number: 2, sides: 6 } },
      log: [{ text: 'x', tallies: [{ what: 'attack', base: 4, total: 3, text: '…', lines: [{ id: 'woods', amount: -1 }] }] }],
    },
    seats: [{ side: 'german', player: 'human' }],
    orders: [{ side: 'german' }],
  });
  expect(update.view.units[0]?.badges).toEqual([]);
  expect(update.view.markers[0]?.text).toBe('');
  expect(update.view.ask?.options[0]?.verb).toBe('');
  expect(update.view.ask?.dice?.tallies).toEqual([]);
  expect(update.view.log[0]?.tallies[0]?.lines[0]).toEqual({ id: 'woods', amount: -1, text: '', rule: '', source: '' });
  expect(update.seats[0]?.online).toBe(false);
  expect(update.orders[0]).toEqual({ side: 'german', reaction: '', beyond: null, below: null });
  expect(update.view.result).toBeNull();
});

test('a prospect and odds are complete', () => {
  const prospect = normaliseInquiry.prospect({
    seq: 1,
    unit: 'g1',
    branches: [{ option: { key: 'move g1' }, journeys: [{ place: 'A2', keys: ['move g1', 'A2'], cost: 1 }] }],
  });
  expect(prospect.branches[0]?.journeys[0]).toMatchObject({ via: [], reactors: [], rolls: [], currency: '', facing: 0 });
  const odds = normaliseInquiry.odds({ keys: ['a'], exact: true, to_them: { probability: 0.5, fraction: '1/2', text: 'any' }, anyway: [{ text: 'x', what: 'x' }] });
  expect(odds.to_them.changes).toEqual([]);
  expect([odds.to_us.probability, odds.assumed, odds.reached]).toEqual([0, [], 1]);
  expect(odds.anyway[0]).toMatchObject({ harm: false, unit: '' });
  expect(odds.outcomes).toEqual([]);
});

test("a lesson's step is done by reading unless it says otherwise", () => {
  const lesson = normaliseBattle.lesson({ id: 'one', steps: [{ id: 'a' }, { id: 'b', done: { answered: 'move' } }] });
  expect(lesson.steps[0]?.done.read).toBe(true);
  expect(lesson.steps[1]?.done).toMatchObject({ answered: 'move', read: false });
  expect(lesson.steps[0]?.when).toMatchObject({ offered: '', over: false, read: false });
});

test('nonsense becomes an empty record, never an exception', () => {
  expect(normaliseView.update(null).view.units).toEqual([]);
  expect(normaliseBattle.battle('x').board.hexes).toEqual([]);
  expect(normaliseBattle.lobby(undefined).games).toEqual([]);
  expect(normaliseInquiry.rules({ not: 'a list' })).toEqual([]);
});

test('defaults are not shared in a way that one record could change another', () => {
  const one = normaliseView.view({});
  one.units.push(normaliseView.unit({ id: 'x' }));
  expect(normaliseView.view({}).units).toEqual([]);
});

test('a branch without journeys has none', () => {
  const sent = { seq: 3, unit: 'b1', branches: [{ option: { key: 'move b1' } }] };
  expect(normaliseInquiry.prospect(sent).branches[0]!.journeys).toEqual([]);
});
