/** What a battle is, from the lobby to its end: its board, its lesson, its result. Its fields are filled in. */
import { each, fill, maybe } from './normalise-fields';
import { UPDATE, result, update } from './normalise-view';
import type * as T from './types';

const CUE: T.Cue = {
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
};
const STEP: T.LessonStep = {
  id: '',
  title: '',
  text: '',
  when: CUE,
  done: { ...CUE, read: true },
  point: [],
  rule: '',
};
const LESSON: T.Lesson = {
  id: '',
  title: '',
  scenario: '',
  side: '',
  minutes: 0,
  opponent: '',
  seed: '',
  next: '',
  script: [],
  steps: [],
  lines: [],
};
const LINE: T.LessonLine = { text: '', when: CUE, point: [] };

function step(value: unknown): T.LessonStep {
  const made = fill(STEP, value);
  return { ...made, when: fill(CUE, made.when), done: fill(CUE, made.done) };
}

export function lesson(value: unknown): T.Lesson {
  const made = fill(LESSON, value);
  const line = (item: unknown): T.LessonLine => {
    const told = fill(LINE, item);
    return { ...told, when: fill(CUE, told.when) };
  };
  return { ...made, steps: each(made.steps, step), lines: each(made.lines, line) };
}

const BOARD: T.BoardView = {
  name: '',
  width: 0,
  height: 0,
  step: 0,
  measure: '',
  hexes: [],
  corners: [],
  facings: [],
  colours: {},
  table: false,
};

export function board(value: unknown): T.BoardView {
  const made = fill(BOARD, value);
  const hex: T.HexView = { id: '', x: 0, y: 0, q: 0, r: 0, text: '' };
  return { ...made, hexes: each(made.hexes, (item) => fill(hex, item)) };
}

const BATTLE: T.Battle = {
  id: '',
  game: '',
  game_title: '',
  scenario: '',
  title: '',
  briefing: '',
  special: [],
  sides: [],
  turns: 0,
  board: BOARD,
  land: '',
  mode: 'solo',
  own_dice: false,
  free_undo: false,
  commitment: '',
  verbs: [],
  lesson: null,
  victory: '',
  glossary: [],
};

export function battle(value: unknown): T.Battle {
  const made = fill(BATTLE, value);
  const term: T.Term = { word: '', title: '', text: '', rule: '', also: [], alone: false };
  const verb: T.VerbHelp = { verb: '', title: '', text: '', rule: '', letter: '', odds: true, idle: false };
  return {
    ...made,
    board: board(made.board),
    verbs: each(made.verbs, (item) => fill(verb, item)),
    glossary: each(made.glossary, (item) => fill(term, item)),
    lesson: maybe(made.lesson, lesson),
  };
}

export function made(value: unknown): T.Made {
  const filled = fill<T.Made>({ battle: BATTLE, seats: [] }, value);
  return { ...filled, battle: battle(filled.battle) };
}

export function moment(value: unknown): T.Moment {
  const filled = fill<T.Moment>({ battle: BATTLE, update: UPDATE, playable: false }, value);
  return { ...filled, battle: battle(filled.battle), update: update(filled.update) };
}

export function end(value: unknown): T.EndView {
  const filled = fill<T.EndView>(
    { result: { winner: '', reason: '', rule: '' }, losses: {}, luck: [], seed: '', commitment: '', rolls: [] },
    value,
  );
  return { ...filled, result: result(filled.result) };
}

const CARD: T.Card = {
  game: '',
  name: '',
  title: '',
  turns: 0,
  sides: [],
  forces: [],
  briefing: '',
  place: '',
  date: '',
  map: '',
  units: 0,
  picture: '',
};

function gameCard(value: unknown): T.GameCard {
  const filled = fill<T.GameCard>({ name: '', title: '', edition: '', scenarios: [], random: [], lessons: [] }, value);
  return {
    ...filled,
    scenarios: each(filled.scenarios, (item) => fill(CARD, item)),
    random: each(filled.random, (item) => fill<T.Choice>({ name: '', values: [], default: '' }, item)),
    lessons: each(filled.lessons, lesson),
  };
}

export function lobby(value: unknown): T.Lobby {
  const filled = fill<T.Lobby>({ version: '', protocol: 0, games: [], levels: [], default_level: '' }, value);
  return { ...filled, games: each(filled.games, gameCard) };
}

export const problem = (value: unknown): T.Problem =>
  fill<T.Problem>({ error: '', message: '', seq: 0, faults: [] }, value);
