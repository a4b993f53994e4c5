/** A table with a battle on it, for tests: complete records from the few fields that matter, and a server that answers. */
import { Api, ApiError } from '../src/lib/api';
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseView from '../src/lib/normalise-view';
import { BattleStore } from '../src/lib/battle-store.svelte';
import type { Update } from '../src/lib/types';

export const LINES = [
  { text: 'Turn 1: Movement', kind: 'Phase' },
  { text: 'red: move r1', side: 'red', kind: 'Asked' },
  { text: 'Squad r1 moves from A1 to A2', side: 'red', kind: 'Moved', units: ['r1'], places: ['A2', 'A1'] },
  {
    text: 'Attack, Squad b1: 2d6 (4 2) → no result',
    side: 'red',
    kind: 'Rolled',
    dice: '2d6',
    faces: [4, 2],
    chance: 0.278,
    units: ['b1'],
    rules: ['93.4'],
    tallies: [
      {
        what: 'Firepower',
        base: 5,
        total: 4,
        source: 'MMG',
        text: 'Firepower: 5 MMG, -1 degraded sight',
        lines: [{ id: 'degraded_los', amount: -1, text: 'degraded sight', rule: '30.2' }],
      },
    ],
  },
  { text: 'Turn 2: Movement', kind: 'Phase' },
  { text: 'blue passes', side: 'blue', kind: 'Passed' },
];

export const FRAMES = [
  { number: 0, turn: 1, phase: 'Movement', log: 1 },
  { number: 1, turn: 1, phase: 'Movement', log: 3 },
  { number: 2, turn: 1, phase: 'Fire', log: 4 },
  { number: 3, turn: 2, phase: 'Movement', log: 6 },
];

const UNITS = [
  { id: 'r1', side: 'red', name: 'Squad r1', symbol: '', place: 'A2', states: ['moved'], stats: { move: 4, guns: [{ name: 'MMG', he: 3 }] } },
  { id: 'b1', side: 'blue', name: 'Squad b1', symbol: '', place: 'C1', stats: {} },
  { id: 'b2', side: 'blue', name: 'Leader b2', symbol: '', place: 'C1', stack: 1, with_unit: 'b1' },
];

const BOARD = {
  step: 10,
  measure: 'hexes',
  colours: { red: '#aa3333', blue: '#3333aa' },
  hexes: [
    { id: 'A1', q: 0, r: 0, x: 0, y: 0 },
    { id: 'A2', q: 0, r: 1, x: 0, y: 10, text: 'woods' },
    { id: 'C1', q: 2, r: 0, x: 20, y: 0 },
  ],
};

export const BATTLE = {
  id: 'x',
  game: 'g',
  game_title: 'A Game',
  scenario: 's',
  title: 'A Battle',
  sides: ['red', 'blue'],
  turns: 4,
  board: BOARD,
  mode: 'solo',
  verbs: [{ verb: 'move', title: 'Move', text: '' }],
};

export const ASK = {
  seq: 7,
  side: 'red',
  prompt: 'What now?',
  options: [
    { key: 'move r1', verb: 'move', unit: 'r1' },
    { key: 'pass', verb: 'pass' },
  ],
};

export type Answers = Record<string, unknown>;

/** An Api that answers by the end of the path, and refuses what it does not know. */
export class FakeApi extends Api {
  readonly asked: string[] = [];
  readonly answers: Answers;

  constructor(answers: Answers = {}) {
    super();
    this.answers = answers;
  }

  override json(path: string, call: { query?: Record<string, string | number | boolean>; body?: unknown } = {}): Promise<unknown> {
    const words = new URLSearchParams(Object.entries(call.query ?? {}).map(([key, value]) => [key, String(value)]));
    const whole = `${path}${words.size ? `?${words}` : ''}`;
    this.asked.push(whole);
    const found = Object.entries(this.answers).find(([part]) => whole.includes(part))?.[1];
    if (found instanceof Error) return Promise.reject(found);
    if (found !== undefined) return Promise.resolve(typeof found === 'function' ? (found as (call: unknown) => unknown)(call) : found);
    return Promise.reject(new ApiError(404, normaliseBattle.problem({ error: 'missing', message: 'nothing here' })));
  }
}

export function update(change: object = {}, view: object = {}): Update {
  return normaliseView.update({
    number: 1,
    seq: 7,
    side: 'red',
    waiting: 'you',
    log_start: 0,
    frames_start: 0,
    frames: FRAMES,
    may_undo: '',
    orders: [],
    seats: [
      { side: 'red', player: 'human', online: true },
      { side: 'blue', player: 'regular', online: false },
    ],
    ...change,
    view: { game: 'g', side: 'red', turn: 2, phase: 'Movement', units: UNITS, markers: [], tracks: {}, ask: ASK, log: LINES, ...view },
  });
}

export function fakeTable(answers: Answers = {}, change: object = {}, view: object = {}): { table: BattleStore; api: FakeApi } {
  const api = new FakeApi({ '/frames/': update(change, { ...view, ask: null }), ...answers });
  const keys = [{ side: 'red', token: 't' }];
  return { table: new BattleStore(normaliseBattle.battle(BATTLE), keys, [update(change, view)], { api }), api };
}
