import { describe, expect, it } from 'vitest';
import { amount, choicesFor, costOf, marksOf, plainFirst, spotOf, type Choice } from './choices';
import { situationOf } from './situation';
import { journey, option } from '../../../test/asks';
import { ask, homes, impulse, prospect } from '../../../test/impulse';
import type { Prospect } from '../types';

describe('choices', () => {
  it('tells a cost with its measure, a sign without a gap', () => {
    expect(costOf(journey('C4', [], 2))).toBe('2 MP');
    expect(costOf(journey('C4', [], 6, { currency: '″' }))).toBe('6″');
    expect(costOf(journey('C4', [], 6, { currency: '' }))).toBe('6');
  });

  it('clicks an option at its target, its place, its unit, or nowhere', () => {
    expect(spotOf(option('at', { unit: 'b1', target: 'r1', place: 'F5' }), homes)).toEqual({ unit: 'r1', place: 'F5' });
    expect(spotOf(option('step', { unit: 'b1', place: 'C4' }), homes)).toEqual({ place: 'C4' });
    expect(spotOf(option('move', { unit: 'b1', place: 'C3' }), homes)).toEqual({ unit: 'b1', place: 'C3' });
    expect(spotOf(option('drop', { unit: 'b1', place: 'C3', target: 'w6' }), homes)).toEqual({ unit: 'b1', place: 'C3' });
    expect(spotOf(option('face', { place: 'K8' }), homes)).toEqual({ place: 'K8' });
    expect(spotOf(option('alone', { unit: 'not there' }), homes)).toEqual({});
  });

  it('unfolds journeys and targets of the selected unit, the cheapest way first', () => {
    const choices = choicesFor(situationOf(impulse), 'b1', prospect, homes);
    const marks = marksOf(choices);
    expect([...marks.places.keys()].sort()).toEqual(['C4', 'C5', 'D3']);
    expect(marks.places.get('C5')!.map((c) => c.keys.length)).toEqual([3]);
    expect(marks.places.get('C5')![0]!.journey!.cost).toBe(2);
    expect(marks.units.get('r1')!.map((c) => c.keys)).toEqual([
      ['fire b1', 'at r1 own'],
      ['fire b1', 'at r1 lmg'],
    ]);
    expect(marks.places.get('D3')![0]!.keys).toEqual(['assault b1 D3']);
  });

  it('keeps only one order when asked to', () => {
    const marks = marksOf(choicesFor(situationOf(impulse), 'b1', prospect, homes, 'fire b1'));
    expect(marks.places.size).toBe(0);
    expect(marks.units.get('r1')).toHaveLength(2);
  });

  it('every option of the question stays reachable without a prospect', () => {
    const keys = choicesFor(situationOf(impulse), '', null, homes).map((c) => c.keys[0]);
    expect(keys.sort()).toEqual(impulse.options.map((o) => o.key).sort());
  });

  it('does not offer a single step twice', () => {
    const step = option('step C4', { unit: 'b1', place: 'C4', cost: '1 MP' });
    const question = ask([step, option('stop', { unit: 'b1', place: 'C3' })]);
    const ahead: Prospect = {
      seq: 7,
      unit: 'b1',
      branches: [{ option: step, prompt: '', follow: [], journeys: [journey('C4', ['step C4'], 1), journey('C5', ['step C4', 'step C5'], 2)] }],
    };
    const marks = marksOf(choicesFor(situationOf(question), '', ahead, homes));
    expect(marks.places.get('C4')).toHaveLength(1);
    expect(marks.places.get('C5')).toHaveLength(1);
    expect(marks.units.get('b1')!.map((c) => c.keys[0])).toEqual(['stop']);
  });

  it('says halves as they are printed', () => {
    expect([0, 3, 0.5, 4.5, 1.25].map(amount)).toEqual(['0', '3', '½', '4½', '1.3']);
    expect([1 / 3, 2 / 3, 1 / 6 + 1 / 3 + 1 / 2, 13 / 6].map(amount)).toEqual(['⅓', '⅔', '1', '2⅙']);
  });
});

describe('ways that are as good', () => {
  const way = (...keys: string[]): Choice => ({ keys, root: option(keys[0]!), option: option(keys[0]!), label: keys.join(' '), cost: '', rule: '', unit: '', spot: {} });
  const apart = way('apart', 'at r1');
  const all = way('at r1');
  const worth = (ofApart: number, ofAll: number, doubt = 0) => (choice: Choice) => ({ mean: choice === apart ? ofApart : ofAll, doubt });

  it('begin with the one that asks no more', () => {
    expect(plainFirst([apart, all], worth(1.2000001, 1.2))).toEqual([all, apart]);
    expect(plainFirst([apart, all], worth(1.4, 1.2))).toEqual([apart, all]);
    expect(plainFirst([], worth(0, 0))).toEqual([]);
  });

  it('begin with it while an estimate leaves in doubt which is better', () => {
    expect(plainFirst([apart, all], worth(1.9, 1.2, 0.6))).toEqual([all, apart]);
    expect(plainFirst([apart, all], worth(2.9, 1.2, 0.6))).toEqual([apart, all]);
  });
});
