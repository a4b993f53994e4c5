import { describe, expect, it } from 'vitest';
import { choicesFor, marksOf, type Pending } from './choices';
import { clickPlace, clickUnit, type ClickContext } from './meaning';
import { isLayingOut, picksUnits, situationOf } from './situation';
import { option } from '../../../test/asks';
import { ask, homes, impulse, prospect, scene, unit } from '../../../test/impulse';
import type { Prospect } from '../types';

describe('what a click means', () => {
  it('selects a unit that can act, and lets go of it', () => {
    expect(clickUnit(scene(impulse, null, null), 'b1')).toEqual({ do: 'select', unit: 'b1' });
    expect(clickUnit(scene(impulse, 'b1', prospect), 'b2')).toEqual({ do: 'select', unit: 'b2' });
    expect(clickUnit(scene(impulse, 'b1', prospect), 'b1')).toEqual({ do: 'select', unit: null });
  });

  it('shows a journey first, and goes with the second click', () => {
    const first = clickPlace(scene(impulse, 'b1', prospect), 'C5');
    expect(first).toMatchObject({ do: 'preview', spot: { place: 'C5' } });
    if (first.do !== 'preview') throw new Error('no preview');
    const pending: Pending = { spot: first.spot, choices: first.choices, index: 0 };
    expect(clickPlace(scene(impulse, 'b1', prospect, { pending }), 'C5')).toMatchObject({
      do: 'answer',
      choice: { keys: ['move b1', 'step C4', 'step C5'] },
    });
    expect(clickPlace(scene(impulse, 'b1', prospect, { pending }), 'C4')).toMatchObject({ do: 'preview', spot: { place: 'C4' } });
  });

  it('goes at once when moves need no confirmation', () => {
    expect(clickPlace(scene(impulse, 'b1', prospect, { confirm: false }), 'C4')).toMatchObject({ do: 'answer' });
  });

  it('shows the ways to attack a target, by its counter and by its hex', () => {
    expect(clickUnit(scene(impulse, 'b1', prospect), 'r1')).toMatchObject({ do: 'preview', spot: { unit: 'r1' } });
    const by = clickPlace(scene(impulse, 'b1', prospect), 'F5');
    expect(by.do === 'preview' && by.choices.length).toBe(2);
    expect(clickUnit(scene(impulse, 'b1', prospect, { confirm: false }), 'r1').do).toBe('preview');
  });

  it('asks why not for what is not offered', () => {
    expect(clickUnit(scene(impulse, 'b1', prospect), 'r2')).toEqual({ do: 'why', unit: 'b1', thing: 'r2' });
    expect(clickPlace(scene(impulse, 'b1', prospect), 'Z9')).toEqual({ do: 'why', unit: 'b1', thing: 'Z9' });
    expect(clickPlace(scene(impulse, null, null), 'Z9')).toEqual({ do: 'nothing' });
  });

  it('puts the plain way before those that begin with a choice of their own', () => {
    const plain = option('at r1', { unit: 'b1', target: 'r1', label: 'Fire at r1' });
    const apart = option('apart', { unit: 'b1', label: 'Weapon by weapon' });
    const follow = [option('at r1', { unit: 'b1', target: 'r1', label: 'Fire at r1 with the rifle' })];
    const branches = [{ option: apart, prompt: '', follow, journeys: [] }];
    const marks = marksOf(choicesFor(situationOf(ask([apart, plain])), 'b1', { seq: 7, unit: 'b1', branches }, homes));
    expect(marks.units.get('r1')!.map((choice) => choice.keys)).toEqual([['at r1'], ['apart', 'at r1']]);
  });

  it('tells ways apart that are called alike', () => {
    const question = ask([option('fire b1', { unit: 'b1', label: 'Fire', cost: '1 IP' }), option('group b1 b2', { unit: 'b1', label: 'Fire together', cost: '2 IP' })]);
    const at = option('at r1', { unit: 'b1', target: 'r1', place: 'F5', label: 'Fire at r1' });
    const branches = question.options.map((root) => ({ option: root, follow: [at], journeys: [] }));
    const marks = marksOf(choicesFor(situationOf(question), 'b1', { seq: 1, unit: 'b1', branches } as unknown as Prospect, homes));
    expect(marks.units.get('r1')?.map(({ label }) => label)).toEqual(['Fire (1 IP)', 'Fire together (2 IP)']);
  });

  it('offers with a target what can be done to its hex, wherever in the hex one clicks', () => {
    const question = ask([option('at r1', { unit: 'b1', target: 'r1', place: 'F5' }), option('storm F5', { unit: 'b1', place: 'F5' }), option('move b2', { unit: 'b2' })]);
    const keys = (act: ReturnType<typeof clickUnit>): string[] => (act.do === 'preview' ? act.choices.flatMap((choice) => choice.keys) : []);
    expect(keys(clickUnit(scene(question, 'b1', null), 'r1'))).toEqual(['at r1', 'storm F5']);
    expect(keys(clickPlace(scene(question, 'b1', null), 'F5')).sort()).toEqual(['at r1', 'storm F5']);
  });

  it('selects by the hex when nothing else lies there', () => {
    expect(clickPlace(scene(impulse, null, null), 'D4')).toEqual({ do: 'select', unit: 'b2' });
  });

  it('places with one click while laying out', () => {
    const question = ask(
      ['A1', 'A2'].map((place) => option(`place b9 ${place}`, { unit: 'b9', place })),
      { quiet: true, prompt: 'Set up: Squad b9' },
    );
    expect(isLayingOut(situationOf(question))).toBe(true);
    expect(clickPlace(scene(question, null, null), 'A2')).toMatchObject({ do: 'answer', choice: { keys: ['place b9 A2'] } });
  });

  it('shows several options of one place to choose from', () => {
    const question = ask([1, 2, 3].map((n) => option(`face ${n}`, { place: 'K8', label: `Face ${n}` })));
    const act = clickPlace(scene(question, null, null), 'K8');
    expect(act.do === 'preview' && act.choices.map((c) => c.label)).toEqual(['Face 1', 'Face 2', 'Face 3']);
  });

  it('picks a unit among many alike: one click selects, the next offers its answer', () => {
    const question = ask(['b1', 'b2'].map((id) => option(`attach x ${id}`, { unit: id, place: homes.get(id)!.place })));
    expect(picksUnits(situationOf(question))).toBe(true);
    expect(picksUnits(situationOf(impulse))).toBe(false);
    expect(clickUnit(scene(question, null, null), 'b2')).toEqual({ do: 'select', unit: 'b2' });
    expect(clickUnit(scene(question, 'b2', null), 'b2')).toMatchObject({ do: 'preview', choices: [{ keys: ['attach x b2'] }] });
  });

  it('takes the last unit of a table with one click, and who rides by a click on what carries it', () => {
    const question = ask([option('unit b1', { unit: 'b1' })], { quiet: true });
    const table = { table: true } satisfies Partial<ClickContext>;
    expect(clickUnit(scene(question, null, null, table), 'b1')).toMatchObject({ do: 'answer', choice: { keys: ['unit b1'] } });
    const riders = new Map([...homes, ['b9', { ...unit('b9', 'blue', 'D4'), with_unit: 'b2' }]]);
    const which = ask(['b1', 'b9'].map((id) => option(`unit ${id}`, { unit: id })), { quiet: true });
    expect(clickUnit(scene(which, null, null, { ...table, homes: riders }), 'b2')).toMatchObject({ do: 'answer', choice: { keys: ['unit b9'] } });
  });

  it('offers a reaction at the mover, whoever fires', () => {
    const question = ask(
      [
        option('pass'),
        option('b1 at r1', { verb: 'at', unit: 'b1', target: 'r1', place: 'F5' }),
        option('b2 at r1', { verb: 'at', unit: 'b2', target: 'r1', place: 'F5' }),
      ],
      { reaction: 'opportunity fire' },
    );
    const act = clickUnit(scene(question, null, null), 'r1');
    expect(act.do === 'preview' && act.choices.map((c) => c.keys[0])).toEqual(['b1 at r1', 'b2 at r1']);
  });

  it('only looks when there is no question', () => {
    expect(clickUnit(scene(null, null, null), 'r1')).toEqual({ do: 'select', unit: 'r1' });
    expect(clickPlace(scene(null, null, null), 'C4')).toEqual({ do: 'nothing' });
  });
});
