import { beforeEach, describe, expect, test } from 'vitest';
import { render, screen } from '@testing-library/svelte';
import { bringUp, brought, forget, memory, remember, remembered, type Remembered } from '../src/lib/battles';
import {
  ago,
  counted,
  deal,
  firstLesson,
  kindsOf,
  lessonBattle,
  levelTerms,
  newBattle,
  paragraphs,
  pathOf,
  proposal,
  randomProposal,
  sideName,
  fileSideName,
  sidesOfFile,
  sidesOfSave,
  sideTitle,
  strength,
} from '../src/lib/lobby';
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseView from '../src/lib/normalise-view';
import { announcement } from '../src/lib/announce';
import { finalTracks, initials, say, sortTracks, turnWords } from '../src/lib/tracks';
import Continue from '../src/lobby/Continue.svelte';
import { isSkipKey } from '../src/shell/skip';
import { battleOf, updateOf } from './records';

const lobby = normaliseBattle.lobby({
  version: '1',
  levels: [
    { name: 'easy', title: 'Easy', text: '' },
    { name: 'hard', title: 'Hard', text: '' },
  ],
  games: [
    {
      name: 'one',
      title: 'One',
      scenarios: [{ game: 'one', name: 'field', title: 'Field', sides: ['blue', 'red'], turns: 5 }],
      random: [
        { name: 'size', values: ['small', 'large'], default: 'small' },
        { name: 'who', values: ['a/b', 'b/a'], default: 'a/b' },
      ],
      lessons: [
        { id: 'long', title: 'Long', scenario: 'field', side: 'red', minutes: 30 },
        { id: 'short', title: 'Short', scenario: 'field', side: 'red', minutes: 10 },
      ],
    },
  ],
});
const game = lobby.games[0]!;
const card = game.scenarios[0]!;

describe('a new battle', () => {
  test('against the computer', () => {
    const wanted = { ...proposal(card, lobby), side: 'red', freeUndo: true };
    expect(newBattle(wanted)).toEqual({
      game: 'one',
      scenario: 'field',
      players: { blue: 'hard', red: 'human' },
      free_undo: true,
    });
  });

  test('two at one screen, with own dice', () => {
    const wanted = { ...proposal(card, lobby), opponent: 'hotseat' as const, ownDice: true, freeUndo: false };
    expect(newBattle(wanted)).toMatchObject({ players: { blue: 'human', red: 'human' }, own_dice: true });
    expect(newBattle(wanted)).not.toHaveProperty('invite');
  });

  test('with a friend: no free undo, for it would show what the dice bring', () => {
    const wanted = { ...proposal(card, lobby), opponent: 'invite' as const, freeUndo: true };
    expect(newBattle(wanted)).toEqual({
      game: 'one',
      scenario: 'field',
      players: { blue: 'human', red: 'human' },
      invite: true,
    });
  });

  test('at random: sides go by number, and are called as a choice names them', () => {
    const wanted = randomProposal(game, lobby);
    expect(newBattle(wanted)).toMatchObject({
      random: { size: 'small', who: 'a/b' },
      players: { '1': 'human', '2': 'hard' },
    });
    expect(newBattle(wanted)).not.toHaveProperty('scenario');
    expect(sideTitle(wanted, '2')).toBe('B');
    expect(sideTitle({ ...wanted, random: { size: 'small' } }, '2')).toBe('The second side');
  });

  test('the guided one is the shortest lesson', () => {
    const first = firstLesson(lobby)!;
    expect(first.lesson.id).toBe('short');
    expect(first.card?.name).toBe('field');
    expect(lessonBattle(first.game, first.lesson)).toEqual({ game: 'one', lesson: 'short', free_undo: true });
  });
});

describe('seats', () => {
  const seats = [
    { side: 'blue', token: 'tb' },
    { side: 'red', token: 'tr' },
    { side: 'watcher', token: 'tw' },
  ];

  test('with a friend: one seat is mine, the others are given away', () => {
    const { mine, others } = deal({ battle: battleOf({ mode: 'invite' }), seats }, 'red');
    expect(mine.map((seat) => seat.side)).toEqual(['red']);
    expect(others.map((seat) => seat.side)).toEqual(['blue', 'watcher']);
    expect(deal({ battle: battleOf({ mode: 'invite' }), seats }, '2').mine[0]?.side).toBe('red');
  });

  test('at one screen both are mine', () => {
    const { mine } = deal({ battle: battleOf({ mode: 'hotseat' }), seats }, 'blue');
    expect(pathOf('b1', mine)).toBe('/play/b1#tb,tr');
  });
});

describe('words', () => {
  test('names, strength and paragraphs', () => {
    expect(sideName('red_army')).toBe('Red Army');
    expect(strength({ side: 'x', units: ['4 Rifle Squad', '1 HMG', 'Captain', '310 points'] })).toBe(6);
    expect(kindsOf({ side: 'x', units: ['4 Rifle Squad', 'Captain', '310 points'] })).toEqual(['4 Rifle Squad', 'Captain']);
    expect(['4 Rifle Squad', '1 HMG', 'Captain', '310 points', '2 81 mm mortar'].map(counted)).toEqual(['4 × Rifle Squad', 'HMG', 'Captain', '310 points', '2 × 81 mm mortar']);
    expect(paragraphs('one\ntwo\n\nthree')).toEqual(['one two', 'three']);
  });

  test('how long ago', () => {
    const now = 10_000_000_000;
    expect(ago(now - 10_000, now)).toBe('just now');
    expect(ago(now - 5 * 60_000, now)).toBe('5 min ago');
    expect(ago(now - 3 * 3_600_000, now)).toBe('3 h ago');
    expect(ago(now - 26 * 3_600_000, now)).toBe('yesterday');
  });

  test('the sides of a saved game', () => {
    expect(sidesOfSave('{"game":"one","scenario":"field","answers":[]}', lobby)).toEqual(['blue', 'red']);
    expect(sidesOfSave('{"game":"x","answers":[["a","k",false],["b","k",false],["a","k",true]]}', lobby)).toEqual(['a', 'b']);
    expect(sidesOfSave('not a save', lobby)).toEqual([]);
    expect(sidesOfSave('null', lobby)).toEqual([]);
    expect(sidesOfFile('{"game":"one","scenario":"field","answers":[]}', lobby)).toEqual(['blue', 'red']);
  });

  test('the sides of what somebody wrote, by the words that are known here', () => {
    expect(sidesOfFile('active = "red"\npoints = { blue = 5, red = 5 }', lobby)).toEqual(['blue', 'red']);
    expect(sidesOfFile('# against blue\nactive = "red"', lobby)).toEqual(['1', '2']);
    expect(['1', '2', 'red'].map(fileSideName)).toEqual(['The first side', 'The second side', 'Red']);
  });

  test('an announcement is no longer than can be listened to', () => {
    const lines = Array.from({ length: 8 }, (_, at) => normaliseView.logLine({ text: `Line ${at}` }));
    expect(announcement(lines.slice(0, 2))).toBe('Line 0. Line 1.');
    expect(announcement(lines)).toContain('3 more lines in the log.');
    expect(announcement([])).toBe('');
  });
});

describe('tracks', () => {
  test('numbers by side stand in the bar, everything else in the list', () => {
    const { bar, rest } = sortTracks(
      {
        Turn: { turn: 1, of: 5 },
        'Victory Points': { blue: 2, red: 0 },
        Cards: { blue: ['Ace', 'King'], red: 3 },
        Assets: { blue: { smoke: 1 }, red: {} },
        Initiative: {},
      },
      ['blue', 'red'],
    );
    expect(bar.map((track) => track.title)).toEqual(['Victory Points']);
    expect(rest.map((track) => track.title)).toEqual(['Turn', 'Cards', 'Assets']);
    expect(rest[1]?.values[0]).toEqual({ name: 'blue', side: true, text: 'Ace, King' });
    expect(rest[2]?.values.map((value) => value.text)).toEqual(['smoke 1', '–']);
  });

  test('values and titles in words', () => {
    expect(say(true)).toBe('yes');
    expect(say(null)).toBe('–');
    expect(initials('Victory Points')).toBe('VP');
    expect(initials('Morale')).toBe('Morale');
  });

  test('turns count up or down', () => {
    expect(turnWords(2, 5, 1)).toBe('Turn 2 of 5');
    expect(turnWords(5, 5, 5)).toBe('Turn 5 (5 left)');
    expect(turnWords(1, 5, 5)).toBe('Turn 1 (the last)');
    expect(turnWords(0, 5, 0)).toBe('');
    expect(turnWords(0, 5, 5)).toBe('A further turn');
    expect(turnWords(3, 0, 1)).toBe('Turn 3');
  });
});

describe('remembered battles', () => {
  beforeEach(() => localStorage.clear());
  const made = (id: string, date: number, more: Partial<Remembered> = {}): Remembered => ({
    ...memory(battleOf({ id }), updateOf(), [{ side: 'blue', token: 'tb' }], [], date),
    ...more,
  });

  test('the latest comes first, and can be forgotten', () => {
    remember(made('a', 1));
    remember(made('b', 2));
    remember(made('a', 3));
    expect(remembered().map((each) => each.id)).toEqual(['a', 'b']);
    forget('a');
    expect(remembered().map((each) => each.id)).toEqual(['b']);
  });

  test('seats and invitations that were known stay known', () => {
    remember(made('a', 1, { invitations: [{ side: 'red', token: 'tr' }] }));
    remember(made('a', 2));
    expect(remembered()[0]?.invitations).toEqual([{ side: 'red', token: 'tr' }]);
    remember(made('b', 3, { mode: 'hotseat', seats: [{ side: 'red', token: 'x' }] }));
    remember(made('b', 4, { mode: 'hotseat' }));
    expect(remembered()[0]?.seats.map((seat) => seat.side)).toEqual(['blue', 'red']);
  });

  test('what is remembered of a battle', () => {
    const over = updateOf({ waiting: 'over' });
    over.view.result = { winner: 'red', reason: '', rule: '' };
    expect(memory(battleOf(), over, [])).toMatchObject({ over: true, winner: 'red', yours: false, turn: 1, turns: 5 });
  });

  test('how a battle stands is brought up to date, and when it was open is not', () => {
    remember(made('a', 1, { yours: true }));
    remember(made('b', 2));
    const [, a] = remembered();
    const now = updateOf({ waiting: 'other' });
    now.seats = [{ side: 'red', player: 'hard', online: true }];
    now.view.turn = 3;
    bringUp([brought(a!, [now])]);
    expect(remembered().map(({ id, date }) => [id, date])).toEqual([['b', 2], ['a', 1]]);
    expect(remembered()[1]).toMatchObject({ yours: false, turn: 3, other: 'red', otherPlayer: 'hard' });
    expect(brought(a!, [])).toBe(a);
  });

  test('the lobby says whose move it is', () => {
    const battles = [
      made('a', 1, { yours: true }),
      made('b', 2, { yours: false, mode: 'invite', other: 'red', otherPlayer: 'human' }),
      made('c', 3, { yours: false, other: 'red', otherPlayer: 'hard' }),
      made('d', 4, { yours: true, mode: 'hotseat' }),
    ];
    render(Continue, { battles, onforget: () => undefined });
    for (const words of ['Your move', 'Waiting for Red', 'The computer’s move (Red)', 'Someone at this screen must decide']) {
      expect(screen.getByText(words)).toBeTruthy();
    }
  });

  test('nonsense in the store is left out', () => {
    localStorage.setItem('grognard.battles', '[{"id":"x"},7,{"id":"y","seats":[{"side":"a","token":"t"}]}]');
    expect(remembered().map((each) => each.id)).toEqual(['y']);
    localStorage.setItem('grognard.battles', '{');
    expect(remembered()).toEqual([]);
  });
});

test('keys that go on: plain ones, outside of fields', () => {
  expect(isSkipKey(new KeyboardEvent('keydown', { key: ' ' }))).toBe(true);
  expect(isSkipKey(new KeyboardEvent('keydown', { key: 'Escape' }))).toBe(true);
  expect(isSkipKey(new KeyboardEvent('keydown', { key: 'Tab' }))).toBe(false);
  expect(isSkipKey(new KeyboardEvent('keydown', { key: 'r', ctrlKey: true }))).toBe(false);
});

test('a level says how long it thinks and what it looks at', () => {
  expect(levelTerms({ budget: 1, sees: 'only what its side may see' })).toBe('Thinks up to a second per decision; looks at only what its side may see.');
  expect(levelTerms({ budget: 1.5, sees: '' })).toBe('Thinks up to 1.5 seconds per decision.');
  expect(levelTerms({ budget: 0, sees: '' })).toBe('Answers immediately.');
});

test('the end tells who held what, and no figures that are nothing', () => {
  const tracks = { Dice: { red: 0, blue: 0 }, Points: { red: 8, blue: 0 }, Turn: { turn: 6, of: 6 }, Objectives: { 'The school': 'Red (2)', 'The depot': 'nobody (2)' } };
  const shown = finalTracks(tracks, ['red', 'blue']).map(({ title, values }) => [title, values.map(({ name, text }) => `${name}: ${text}`)]);
  expect(shown).toEqual([
    ['Points', ['red: 8', 'blue: 0']],
    ['Objectives', ['The school: Red (2)', 'The depot: nobody (2)']],
  ]);
});
