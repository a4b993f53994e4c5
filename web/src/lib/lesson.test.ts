import { beforeEach, describe, expect, it } from 'vitest';
import { Guide, holds, stepNow, type Moment } from './lesson.svelte';
import { OPTION } from './normalise-view';
import type { AskView, Cue, Lesson, LessonStep } from './types';

const cue = (more: Partial<Cue> = {}): Cue => ({
  offered: '',
  asked: '',
  reaction: '',
  selected: '',
  answered: '',
  event: '',
  over: false,
  read: false,
  here: [],
  mine: '',
  empty: '',
  held: '',
  wanted: '',
  ...more,
});
const ask = (prompt: string, verbs: string[], reaction = ''): AskView => ({
  seq: 1,
  side: 'blue',
  prompt,
  options: verbs.map((verb) => ({ ...OPTION, key: verb, verb })),
  reaction,
  rule: '',
  quiet: true,
  dice: null,
  area: null,
  draft: null,
});
const moment = (more: Partial<Moment> = {}): Moment => ({
  ask: null,
  selected: null,
  answered: [],
  events: [],
  over: false,
  read: false,
  side: 'blue',
  units: [],
  markers: [],
  ...more,
});
const step = (id: string, when: Partial<Cue>, done: Partial<Cue>): LessonStep => ({
  id,
  title: id,
  text: id,
  when: cue(when),
  done: cue(done),
  point: [],
  rule: '',
});
const lesson = (steps: LessonStep[]): Lesson => ({
  id: 'first',
  title: 'First',
  scenario: 's',
  side: 'blue',
  minutes: 10,
  opponent: '',
  seed: '',
  next: '',
  script: [],
  steps,
  lines: [],
});

describe('a cue', () => {
  it('holds when every condition holds', () => {
    const impulse = moment({ ask: ask('Your Impulse (7 left)', ['move', 'fire']), selected: 'b1', answered: ['move'], events: ['Rolled'] });
    expect(holds(cue(), moment())).toBe(true);
    expect(holds(cue({ offered: 'fire' }), impulse)).toBe(true);
    expect(holds(cue({ offered: 'rally' }), impulse)).toBe(false);
    expect(holds(cue({ asked: 'impulse' }), impulse)).toBe(true);
    expect(holds(cue({ asked: 'impulse' }), moment())).toBe(false);
    expect(holds(cue({ selected: '*' }), impulse)).toBe(true);
    expect(holds(cue({ selected: 'b1' }), impulse)).toBe(true);
    expect(holds(cue({ selected: 'b2' }), impulse)).toBe(false);
    expect(holds(cue({ selected: '*' }), moment())).toBe(false);
    expect(holds(cue({ answered: 'move', event: 'Rolled' }), impulse)).toBe(true);
    expect(holds(cue({ answered: 'move', event: 'Shaken' }), impulse)).toBe(false);
    expect(holds(cue({ reaction: 'opportunity fire' }), moment({ ask: ask('?', [], 'opportunity fire') }))).toBe(true);
    expect(holds(cue({ reaction: 'opportunity fire' }), impulse)).toBe(false);
    expect(holds(cue({ over: true }), moment({ over: true }))).toBe(true);
    expect(holds(cue({ read: true }), moment())).toBe(false);
  });
});

describe('the step that shows', () => {
  const steps = [step('hello', {}, { read: true }), step('fire', { offered: 'fire' }, { answered: 'fire' }), step('react', { reaction: 'x' }, { read: true })];

  it('passes over what has not come, and takes it when it comes', () => {
    expect(stepNow(steps, new Set(), null, moment())).toBe('hello');
    expect(stepNow(steps, new Set(['hello']), null, moment())).toBeNull();
    const reacting = moment({ ask: ask('?', ['pass'], 'x') });
    expect(stepNow(steps, new Set(['hello']), null, reacting)).toBe('react');
    expect(stepNow(steps, new Set(['hello', 'react']), null, moment({ ask: ask('', ['fire']) }))).toBe('fire');
  });

  it('stays until its moment has passed and another has come', () => {
    const done = new Set(['hello']);
    expect(stepNow(steps, done, 'fire', moment())).toBe('fire');
    expect(stepNow(steps, done, 'fire', moment({ ask: ask('?', ['pass'], 'x') }))).toBe('react');
    expect(stepNow(steps, done, 'fire', moment({ ask: ask('?', ['fire'], 'x') }))).toBe('fire');
    expect(stepNow(steps, done, 'fire', moment({ ask: ask('?', ['fire']) }))).toBe('fire');
  });

  it('speaks of a reaction first, and of what happened before it later', () => {
    const told = [step('points', { event: 'Spent' }, { read: true }), step('react', { reaction: 'x' }, { read: true })];
    const reacting = moment({ ask: ask('?', ['pass'], 'x'), events: ['Spent'] });
    expect(stepNow(told, new Set(), null, reacting)).toBe('react');
    expect(stepNow(told, new Set(), 'points', reacting)).toBe('react');
    expect(stepNow(told, new Set(['react']), 'points', reacting)).toBeNull();
    expect(stepNow(told, new Set(['react']), null, reacting)).toBeNull();
    expect(stepNow(told, new Set(), null, moment({ events: ['Spent'] }))).toBe('points');
  });

  it('makes way when something else is asked, and comes again', () => {
    const done = new Set(['hello']);
    expect(stepNow(steps, done, 'fire', moment({ ask: ask('Move on', ['step']) }))).toBeNull();
    expect(stepNow(steps, done, null, moment({ ask: ask('', ['fire']) }))).toBe('fire');
  });
});

describe('a guide', () => {
  beforeEach(() => localStorage.clear());
  const steps = [
    step('hello', {}, { read: true }),
    step('choose', {}, { selected: '*' }),
    step('move', { selected: '*' }, { answered: 'move' }),
    step('dice', { event: 'Rolled' }, { read: true }),
    step('end', { over: true }, { read: true }),
  ];

  it('leads through the battle and remembers how far', () => {
    const guide = new Guide(lesson(steps), 'b1');
    const impulse = ask('Your Impulse', ['move']);
    guide.look(impulse, null, [], false);
    expect(guide.step?.id).toBe('hello');
    expect(guide.waitsForRead).toBe(true);
    guide.next();
    guide.look(impulse, null, [], false);
    expect(guide.step?.id).toBe('choose');
    expect(guide.waitsForRead).toBe(false);
    guide.look(impulse, 'u1', [], false);
    expect(guide.step?.id).toBe('move');
    guide.note('move');
    guide.look(ask('Step', ['step']), 'u1', ['Asked'], false);
    expect(guide.step).toBeNull();
    guide.look(impulse, null, ['Asked', 'Rolled'], false);
    expect(guide.step?.id).toBe('dice');
    expect(guide.count).toEqual({ done: 3, all: 5 });

    const again = new Guide(lesson(steps), 'b1');
    expect(again.count.done).toBe(3);
    expect(new Guide(lesson(steps), 'b2').count.done).toBe(0);
  });

  it('looks back at what was told, and comes forward again', () => {
    const guide = new Guide(lesson(steps), 'b3');
    guide.look(null, null, [], false);
    expect(guide.canGoBack).toBe(false);
    guide.next();
    guide.look(null, null, [], false);
    expect(guide.canGoBack).toBe(true);
    guide.back();
    expect(guide.step?.id).toBe('hello');
    expect(guide.canGoBack).toBe(false);
    guide.next();
    expect(guide.step?.id).toBe('choose');
  });

  it('can be skipped and taken up again', () => {
    const guide = new Guide(lesson(steps), 'b4');
    guide.skip();
    guide.look(null, null, [], false);
    expect(guide.step).toBeNull();
    expect(new Guide(lesson(steps), 'b4').skipped).toBe(true);
    guide.resume();
    guide.look(null, null, [], false);
    expect(guide.step?.id).toBe('hello');
  });

  it('takes what was done as done, though it brought the moment of another step', () => {
    const taught = [step('move', { offered: 'move' }, { answered: 'move' }), step('stop', { offered: 'stop' }, { answered: 'stop' })];
    const guide = new Guide(lesson(taught), 'b6');
    guide.look(ask('Your Impulse', ['move']), null, [], false);
    guide.note('move');
    guide.look(ask('Move on', ['step', 'stop']), 'u', ['Moved'], false);
    expect(guide.step?.id).toBe('stop');
    expect(guide.count.done).toBe(1);
  });

  it('wants another unit to be selected than the one that was', () => {
    const guide = new Guide(lesson([step('choose', {}, { selected: '*' })]), 'b7');
    guide.look(null, 'u1', [], false);
    expect(guide.count.done).toBe(0);
    guide.look(null, null, [], false);
    guide.look(null, 'u1', [], false);
    expect(guide.count.done).toBe(1);
  });

  it('survives a log that grew shorter by undo, and a store with rubbish in it', () => {
    localStorage.setItem('grognard.lesson.b5', '{"done": 7');
    const guide = new Guide(lesson(steps), 'b5');
    guide.look(null, null, ['a', 'b', 'c'], false);
    guide.next();
    guide.look(null, null, ['a', 'b', 'c'], false);
    guide.look(null, 'u', ['a'], false);
    guide.look(null, 'u', ['a', 'Rolled'], false);
    expect(guide.count.done).toBe(2);
  });
});

describe('a learner who does something else', () => {
  beforeEach(() => localStorage.clear());
  const go = (seq: number, ...keys: string[]): AskView => {
    const made = ask('Your go', keys);
    return { ...made, seq, options: made.options.map((option) => ({ ...option, verb: option.key.split(' ')[0]!, unit: option.key.split(' ')[1] ?? '' })) };
  };

  it('is told of the other things, and of this one again after them', () => {
    const guide = new Guide(
      lesson([
        step('rally', { offered: 'rally' }, { answered: 'rally' }),
        step('fire', { offered: 'fire' }, { event: 'Declared' }),
        step('log', { event: 'Declared' }, { read: true }),
      ]),
      'other',
    );
    guide.look(go(1, 'rally b2', 'fire b1'), null, [], false);
    expect(guide.step?.id).toBe('rally');
    guide.note('fire');
    guide.look(go(1, 'rally b2', 'fire b1'), null, [], false); // the answer is on its way
    expect(guide.step?.id).toBe('rally');
    guide.look(go(3, 'rally b2', 'fire b1'), null, ['Declared'], false);
    expect(guide.step?.id).toBe('fire');
    guide.note('fire');
    guide.look(go(5, 'rally b2', 'fire b1'), null, ['Declared', 'Declared'], false);
    expect(guide.step?.id).toBe('log');
    guide.next();
    guide.look(go(5, 'rally b2', 'fire b1'), null, ['Declared', 'Declared'], false);
    expect(guide.step?.id).toBe('rally');
    guide.note('rally');
    guide.look(go(7, 'rally b2', 'fire b1'), null, ['Declared', 'Declared'], false);
    expect([guide.finished, guide.ended]).toEqual([true, true]);
  });

  it('is shown only units that can do what is spoken of', () => {
    const made = lesson([{ ...step('fire', { offered: 'fire' }, { answered: 'fire' }), point: ['b1', 'b2', 'r1', 'log'] }]);
    const guide = new Guide(made, 'points');
    const units = ['b1', 'b2', 'r1'].map((id) => ({ id, side: id[0] === 'b' ? 'blue' : 'red', place: 'A1', states: [] }));
    guide.look(go(1, 'move b1', 'fire b2'), null, [], false, units, 'blue');
    expect(guide.point).toEqual(['b2', 'r1', 'log']);
  });
});

describe('what is on the board', () => {
  const cottage = [
    { id: 'b1', side: 'blue', place: 'A1', states: [] },
    { id: 'r1', side: 'red', place: 'C3', states: [] },
  ];
  const gone = cottage.slice(0, 1);
  const inside = [{ id: 'b1', side: 'blue', place: 'C3', states: [] }];

  it('is part of a cue', () => {
    expect([cottage, gone].map((units) => holds(cue({ here: ['b1', 'r1'] }), moment({ units })))).toEqual([true, false]);
    expect([cottage, gone].map((units) => holds(cue({ empty: 'C3' }), moment({ units })))).toEqual([false, true]);
    expect([gone, inside].map((units) => holds(cue({ mine: 'C3' }), moment({ units })))).toEqual([false, true]);
    expect(holds(cue({ here: ['b1'] }), moment({ units: [{ id: 'b1', side: 'blue', place: '', states: [] }] }))).toBe(false);
  });

  it('may be a state, and whose a place is', () => {
    const units = [{ id: 'b1', side: 'blue', place: 'A1', states: ['shaken'] }];
    expect(['b1', 'b1 shaken/broken', 'b1 broken'].map((what) => holds(cue({ here: [what] }), moment({ units })))).toEqual([true, true, false]);
    const of = (side: string): Moment => moment({ markers: [{ kind: 'smoke', place: 'C3', side: 'blue' }, { kind: 'objective', place: 'C3', side }] });
    expect(['blue', 'red'].map((side) => holds(cue({ held: 'C3' }), of(side)))).toEqual([true, false]);
    expect(['blue', 'red', ''].map((side) => holds(cue({ wanted: 'C3' }), of(side)))).toEqual([false, true, true]);
  });

  it('may be what one unit can do', () => {
    const made = ask('Your go', ['rally b2']);
    const [option] = made.options;
    const now = (selected: string | null): Moment =>
      moment({ ask: { ...made, options: [{ ...option!, verb: 'rally', unit: 'b2', label: 'Line the hedge, 3″' }] }, selected });
    expect(['rally', 'rally b2', 'rally b1', 'Line the hedge', 'hedge'].map((offered) => holds(cue({ offered }), now(null)))).toEqual([true, true, false, true, false]);
    expect(['b1', 'b2'].map((unit) => holds(cue({ offered: 'rally', selected: '*' }), now(unit)))).toEqual([false, true]);
  });

  it('takes a step away that speaks of what is gone, and a line is told instead', () => {
    const made = lesson([
      step('fire', { offered: 'fire', here: ['r1'] }, { answered: 'fire' }),
      step('empty', { offered: 'move', empty: 'C3' }, { answered: 'move' }),
    ]);
    made.lines = [
      { text: 'Yours.', when: cue({ mine: 'C3' }), point: ['C3'] },
      { text: 'Watch.', when: cue(), point: [] },
    ];
    const guide = new Guide(made, 'gone');
    const mine = ask('Your go', ['fire', 'move']);
    guide.look(mine, null, [], false, cottage, 'blue');
    expect([guide.step?.id, guide.line]).toEqual(['fire', null]);
    guide.look(null, null, [], false, gone, 'blue');
    expect([guide.step, guide.line?.text]).toEqual([null, 'Watch.']);
    guide.look(mine, null, [], false, gone, 'blue');
    expect(guide.step?.id).toBe('empty');
    guide.note('move');
    guide.look(null, null, [], false, inside, 'blue');
    expect([guide.step, guide.line?.text, guide.point]).toEqual([null, 'Yours.', ['C3']]);
  });

  it('is past when the battle is over: only the end is spoken of', () => {
    const made = lesson([step('pins', { event: 'Pinned' }, { read: true }), step('end', { over: true }, { read: true })]);
    made.lines = [{ text: 'Next!', when: cue(), point: [] }];
    const guide = new Guide(made, 'over');
    guide.look(null, null, ['Pinned'], true, [], 'blue');
    expect(guide.step?.id).toBe('end');
    guide.next();
    guide.look(null, null, ['Pinned'], true, [], 'blue');
    expect([guide.step, guide.line?.text]).toEqual([null, 'Next!']);
  });
});
