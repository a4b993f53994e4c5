import { beforeEach, describe, expect, it } from 'vitest';
import { Guide, holds, stepNow, type Moment } from './lesson.svelte';
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
  ...more,
});
const ask = (prompt: string, verbs: string[], reaction = ''): AskView => ({
  seq: 1,
  side: 'blue',
  prompt,
  options: verbs.map((verb) => ({ key: verb, label: '', verb, unit: '', place: '', target: '', cost: '', rule: '', range: -1 })),
  reaction,
  rule: '',
  quiet: true,
  dice: null,
  area: null,
});
const moment = (more: Partial<Moment> = {}): Moment => ({
  ask: null,
  selected: null,
  answered: [],
  events: [],
  over: false,
  read: false,
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
  steps,
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
