import { describe, expect, it } from 'vitest';
import {
  amount,
  anyOption,
  bearingOf,
  choicesFor,
  clickPlace,
  clickUnit,
  hintFor,
  homesOf,
  isLayingOut,
  marksOf,
  nextOf,
  picksUnits,
  quickOptions,
  readyUnits,
  situationOf,
  spotOf,
  type Pending,
  type Scene,
} from './acting-logic';
import * as normalise from './normalise';
import { journey, option, piece, question } from './testing-asks';
import type { AskView, Option, Prospect, UnitView } from './types';

const ask = (options: Option[], rest: Partial<AskView> = {}): AskView => question(options, { quiet: false, ...rest });
const unit = (id: string, side: string, place: string): UnitView => ({ ...piece(id, side, place), name: `Squad ${id}` });

const homes = homesOf([unit('b1', 'blue', 'C3'), unit('b2', 'blue', 'D4'), unit('r1', 'red', 'F5'), unit('r2', 'red', 'G6')]);
const impulse = ask(
  [
    option('move b1', { unit: 'b1', place: 'C3', label: 'Move', cost: '1 IP' }),
    option('fire b1', { unit: 'b1', place: 'C3', label: 'Fire', cost: '1 IP' }),
    option('assault b1 D3', { unit: 'b1', place: 'D3', label: 'Assault D3' }),
    option('move b2', { unit: 'b2', place: 'D4', label: 'Move' }),
    option('oba', { label: 'Artillery' }),
    option('pass', { label: 'Pass' }),
  ],
  { quiet: true },
);
const prospect: Prospect = {
  seq: 7,
  unit: 'b1',
  branches: [
    {
      option: impulse.options[0]!,
      prompt: '',
      follow: [],
      journeys: [
        journey('C4', ['move b1', 'step C4'], 1),
        journey('C5', ['move b1', 'step D4', 'step C5'], 3, { reactors: ['r1'] }),
        journey('C5', ['move b1', 'step C4', 'step C5'], 2),
      ],
    },
    {
      option: impulse.options[1]!,
      prompt: 'b1: fire at what?',
      follow: [
        option('at r1 own', { unit: 'b1', place: 'F5', target: 'r1' }),
        option('at r1 lmg', { unit: 'b1', place: 'F5', target: 'r1' }),
      ],
      journeys: [],
    },
  ],
};

function scene(question: AskView | null, selected: string | null, foresight: Prospect | null, more: Partial<Scene> = {}): Scene {
  const situation = question && situationOf(question);
  const marks = marksOf(situation ? choicesFor(situation, selected ?? '', foresight, homes) : []);
  return { situation, selected, me: 'blue', homes, marks, pending: null, confirm: true, ...more };
}

describe('a question taken apart', () => {
  it('knows who can act, what belongs to the side, and how to pass', () => {
    const it_ = situationOf(impulse);
    expect([...it_.actors.keys()]).toEqual(['b1', 'b2']);
    expect(it_.bare.map((o) => o.key)).toEqual(['oba', 'pass']);
    expect(it_.pass?.key).toBe('pass');
    expect(it_.sole).toBe('');
    expect(readyUnits(it_, homes)).toEqual(['b1', 'b2']);
  });

  it('finds the one unit that a staged question is about, but not in a reaction', () => {
    const steps = [option('step C4', { unit: 'b1', place: 'C4' }), option('stop', { unit: 'b1', place: 'C3' })];
    expect(situationOf(ask(steps)).sole).toBe('b1');
    expect(situationOf(ask(steps, { reaction: 'opportunity fire' })).sole).toBe('');
  });

  it('clicks an option at its target, its place, its unit, or nowhere', () => {
    expect(spotOf(option('at', { unit: 'b1', target: 'r1', place: 'F5' }), homes)).toEqual({ unit: 'r1', place: 'F5' });
    expect(spotOf(option('step', { unit: 'b1', place: 'C4' }), homes)).toEqual({ place: 'C4' });
    expect(spotOf(option('move', { unit: 'b1', place: 'C3' }), homes)).toEqual({ unit: 'b1', place: 'C3' });
    expect(spotOf(option('drop', { unit: 'b1', place: 'C3', target: 'w6' }), homes)).toEqual({ unit: 'b1', place: 'C3' });
    expect(spotOf(option('face', { place: 'K8' }), homes)).toEqual({ place: 'K8' });
    expect(spotOf(option('alone', { unit: 'not there' }), homes)).toEqual({});
  });

  it('rings through the units that can act', () => {
    expect(nextOf(['b1', 'b2'], null)).toBe('b1');
    expect(nextOf(['b1', 'b2'], 'b1')).toBe('b2');
    expect(nextOf(['b1', 'b2'], 'b2')).toBe('b1');
    expect(nextOf(['b1', 'b2'], 'b1', true)).toBe('b2');
    expect(nextOf([], 'b1')).toBeNull();
  });
});

describe('choices', () => {
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
    expect([3, 0.5, 4.5, 1.25].map(amount)).toEqual(['3', '½', '4½', '1.3']);
  });
});

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
    const table = { table: true } satisfies Partial<Scene>;
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

describe('the bar', () => {
  it('carries a short question whole, and the stop of a mover', () => {
    const hide = ask([option('hide', { unit: 'b1', place: 'C3' }), option('show', { unit: 'b1', place: 'C3' })]);
    expect(quickOptions(situationOf(hide), homes).map((o) => o.key)).toEqual(['hide', 'show']);
    const move = ask([
      ...['C4', 'D3', 'B3', 'B2', 'C2', 'D2'].map((place) => option(`step ${place}`, { unit: 'b1', place })),
      option('pivot 1', { unit: 'b1', place: 'C3', cost: '1 MP' }),
      option('stop', { unit: 'b1', place: 'C3' }),
    ]);
    expect(quickOptions(situationOf(move), homes).map((o) => o.key)).toEqual(['stop']);
    expect(quickOptions(situationOf(impulse), homes)).toEqual([]);
    const face = ask([1, 2, 3].map((n) => option(`face ${n}`, { place: 'K8' })));
    expect(quickOptions(situationOf(face), homes)).toHaveLength(3);
  });

  it('says what to do next in plain words', () => {
    const hint = (question: AskView, selected: string | null, foresight: Prospect | null): string => {
      const situation = situationOf(question);
      return hintFor(situation, selected, marksOf(choicesFor(situation, selected ?? '', foresight, homes)), homes);
    };
    expect(hint(impulse, null, null)).toBe('choose a unit');
    expect(hint(impulse, 'b1', prospect)).toBe('click a marked hex or target or choose an order');
    expect(hint(ask([], { dice: { number: 2, sides: 6, what: '', tallies: [] } }), null, null)).toContain('dice');
  });
});

describe('leaving it to the client', () => {
  it('faces the goal, and takes any place else', () => {
    const face = ask([1, 2, 3, 4, 5, 6].map((n) => option(`face ${n}`, { place: 'K8' })));
    const facings = [0, 60, 120, 180, 240, 300];
    expect(anyOption(face, 0.9, facings, bearingOf({ x: 0, y: 0 }, { x: 0, y: 100 }))!.key).toBe('face 4');
    expect(anyOption(face, 0.9, facings, -55)!.key).toBe('face 6');
    const place = ask(['A1', 'A2', 'A3'].map((p) => option(`place ${p}`, { place: p })));
    expect(anyOption(place, 0.99)!.key).toBe('place A3');
    expect(anyOption(ask([]), 0)).toBeNull();
  });
});

it('reads what the server sends', () => {
  const sent = { seq: 3, unit: 'b1', branches: [{ option: { key: 'move b1' } }] };
  expect(normalise.prospect(sent).branches[0]!.journeys).toEqual([]);
});
