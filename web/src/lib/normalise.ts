/**
 * The border: the server leaves fields out that have their default, and here they are filled in once, so that
 * everything behind it works with complete records.
 */
import type * as T from './types';

type Raw = Record<string, unknown>;

const raw = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});

/** A record with these defaults under it. Lists and records among the defaults are shared and never changed. */
function fill<R>(defaults: R, value: unknown): R {
  return { ...defaults, ...raw(value) } as R;
}

function each<R>(value: unknown, make: (item: unknown) => R): R[] {
  return Array.isArray(value) ? value.map(make) : [];
}

function maybe<R>(value: unknown, make: (item: unknown) => R): R | null {
  return value === null || value === undefined ? null : make(value);
}

const OPTION: T.Option = { key: '', label: '', verb: '', unit: '', place: '', target: '', cost: '', rule: '', range: -1 };

/** An option; one without a label of its own is called by its key. */
export function option(value: unknown): T.Option {
  const made = fill(OPTION, value);
  return made.label ? made : { ...made, label: made.key };
}

const UNIT: T.UnitView = {
  id: '',
  side: '',
  name: '',
  symbol: '',
  place: '',
  facing: 0,
  stack: 0,
  with_unit: '',
  states: [],
  stats: {},
  short: '',
  values: '',
  badges: [],
  models: [],
};
const MODEL: T.ModelView = { id: '', x: 0, y: 0, heading: 0, radius: 0, length: 0, width: 0, short: '', title: '' };
const MARKER: T.MarkerView = {
  kind: '',
  place: '',
  side: '',
  facing: 0,
  text: '',
  radius: 0,
  length: 0,
  width: 0,
  outline: [],
};
const TALLY_LINE: T.TallyLine = { id: '', amount: 0, text: '', rule: '', source: '' };
const TALLY: T.TallyView = { what: '', base: 0, total: 0, text: '', rule: '', source: '', lines: [] };
const LINE: T.LogLine = {
  text: '',
  side: '',
  rules: [],
  faces: [],
  dice: '',
  tallies: [],
  kind: '',
  units: [],
  places: [],
  chance: 0,
};

export function unit(value: unknown): T.UnitView {
  const made = fill(UNIT, value);
  return made.models.length ? { ...made, models: each(made.models, (item) => fill(MODEL, item)) } : made;
}

export const marker = (value: unknown): T.MarkerView => fill(MARKER, value);

export function tally(value: unknown): T.TallyView {
  const made = fill(TALLY, value);
  return { ...made, lines: each(made.lines, (line) => fill(TALLY_LINE, line)) };
}

export function logLine(value: unknown): T.LogLine {
  const made = fill(LINE, value);
  return made.tallies.length ? { ...made, tallies: each(made.tallies, tally) } : made;
}

export function dice(value: unknown): T.DiceView {
  const made = fill<T.DiceView>({ number: 1, sides: 6, what: '', tallies: [] }, value);
  return { ...made, tallies: each(made.tallies, tally) };
}

const AREA: T.AreaView = {
  unit: '',
  verb: '',
  label: '',
  start: '',
  forms: [],
  headings: [],
  polygons: [],
  rule: '',
};

export function area(value: unknown): T.AreaView {
  const made = fill(AREA, value);
  const form: T.Form = { name: '', title: '', models: [], turns: true };
  return { ...made, forms: each(made.forms, (item) => fill(form, item)) };
}

const ASK: T.AskView = {
  seq: 0,
  side: '',
  prompt: '',
  options: [],
  reaction: '',
  rule: '',
  quiet: false,
  dice: null,
  area: null,
};

export function ask(value: unknown): T.AskView {
  const made = fill(ASK, value);
  return { ...made, options: each(made.options, option), dice: maybe(made.dice, dice), area: maybe(made.area, area) };
}

export const result = (value: unknown): T.Result => fill({ winner: '', reason: '', rule: '' }, value);

const VIEW: T.View = {
  game: '',
  scenario: '',
  side: '',
  map: '',
  turn: 0,
  phase: '',
  active: '',
  tracks: {},
  units: [],
  markers: [],
  ask: null,
  log: [],
  result: null,
  protocol: 0,
};

export function view(value: unknown): T.View {
  const made = fill(VIEW, value);
  return {
    ...made,
    units: each(made.units, unit),
    markers: each(made.markers, marker),
    ask: maybe(made.ask, ask),
    log: each(made.log, logLine),
    result: maybe(made.result, result),
  };
}

const ORDER: T.StandingOrder = { side: '', reaction: '', beyond: null, below: null };
const UPDATE: T.Update = {
  number: 0,
  seq: 0,
  side: '',
  waiting: 'other',
  view: VIEW,
  log_start: 0,
  frames: [],
  frames_start: 0,
  may_undo: '',
  orders: [],
  seats: [],
};

export function update(value: unknown): T.Update {
  const made = fill(UPDATE, value);
  return {
    ...made,
    view: view(made.view),
    frames: each(made.frames, (item) => fill<T.Frame>({ number: 0, turn: 0, phase: '', log: 0 }, item)),
    orders: each(made.orders, (item) => fill(ORDER, item)),
    seats: each(made.seats, (item) => fill<T.SeatView>({ side: '', player: 'human', online: false }, item)),
  };
}

export function taken(value: unknown): T.Taken {
  const made = fill<T.Taken>({ taken: 0, update: UPDATE }, value);
  return { ...made, update: update(made.update) };
}

const CHANCE: T.Chance = { probability: 0, fraction: '', text: '', results: [] };
const chance = (value: unknown): T.Chance => fill(CHANCE, value);

export function odds(value: unknown): T.OddsView {
  const made = fill<T.OddsView>({ keys: [], exact: true, effect: CHANCE, outcomes: [], parts: [], tallies: [], anyway: [], fatal: [] }, value);
  return {
    ...made,
    effect: chance(made.effect),
    outcomes: each(made.outcomes, chance),
    parts: each(made.parts, chance),
    tallies: each(made.tallies, tally),
  };
}

const WEIGHED: T.Weighed = { key: '', label: '', verb: '', unit: '', place: '', target: '', worth: 0, estimate: null, visits: 0, reasons: [] };

export function thought(value: unknown): T.ThoughtView {
  const made = fill<T.ThoughtView>(
    {
      number: 0,
      side: '',
      player: '',
      title: '',
      turn: 0,
      phase: '',
      prompt: '',
      seconds: 0,
      looked: 0,
      standing: null,
      options: [],
      chosen: '',
      sees: '',
      frame: 0,
    },
    value,
  );
  return { ...made, options: each(made.options, (item) => fill(WEIGHED, item)) };
}

export function thoughts(value: unknown): T.Thoughts {
  const made = fill<T.Thoughts>({ open: false, why: '', thoughts: [] }, value);
  return { ...made, thoughts: each(made.thoughts, thought) };
}

const JOURNEY: T.Journey = {
  place: '',
  keys: [],
  cost: 0,
  currency: '',
  via: [],
  reactors: [],
  rolls: [],
  facing: 0,
};

export function branch(value: unknown): T.Branch {
  const made = fill<T.Branch>({ option: OPTION, prompt: '', follow: [], journeys: [] }, value);
  return {
    ...made,
    option: option(made.option),
    follow: each(made.follow, option),
    journeys: each(made.journeys, (item) => fill(JOURNEY, item)),
  };
}

export function prospect(value: unknown): T.Prospect {
  const made = fill<T.Prospect>({ seq: 0, unit: '', branches: [] }, value);
  return { ...made, branches: each(made.branches, branch) };
}

const bar = (value: unknown): T.BarView => fill<T.BarView>({ reason: '', rule: '', source: '' }, value);
export const bars = (value: unknown): T.BarView[] => each(value, bar);

export function preview(value: unknown): T.PreviewView {
  const empty: T.PreviewView = { key: '', legal: false, bar: null, models: [], cost: '', lines: [], polygons: [] };
  const model: T.ModelPose = { id: '', x: 0, y: 0, heading: 0, path: [] };
  const made = fill(empty, value);
  return { ...made, bar: maybe(made.bar, bar), models: each(made.models, (item) => fill(model, item)) };
}

export function sight(value: unknown): T.SightView {
  const made = fill<T.SightView>({ start: '', end: '', range: 0, state: 'clear', text: '', crossed: [], lines: [] }, value);
  const thread: T.SightThread = { x1: 0, y1: 0, x2: 0, y2: 0, state: 'clear', blocked_at: null, text: '' };
  const crossed: T.Crossed = { places: [], text: '', effect: 'none', rule: '' };
  return { ...made, crossed: each(made.crossed, (item) => fill(crossed, item)), lines: each(made.lines, (item) => fill(thread, item)) };
}

export function field(value: unknown): T.FieldView {
  const made = fill<T.FieldView>({ unit: '', rings: [], places: [], fans: [], areas: [] }, value);
  const fan: T.Fan = { x: 0, y: 0, heading: 0, width: 360, range: 0, text: '' };
  return { ...made, fans: each(made.fans, (item) => fill(fan, item)), places: each(made.places, (item) => fill<T.Seen>({ place: '', state: 'clear', ring: -1 }, item)) };
}

const CHART: T.ChartView = {
  id: '',
  title: '',
  provenance: '',
  columns: [],
  rows: [],
  rule: '',
  note: '',
  source: '',
};

export function charts(value: unknown): T.Charts {
  const made = fill<T.Charts>({ charts: [], overrides: [] }, value);
  return { ...made, charts: each(made.charts, (item) => fill(CHART, item)) };
}

export const rules = (value: unknown): T.RuleView[] =>
  each(value, (item) => fill<T.RuleView>({ id: '', kind: '', text: '', title: '' }, item));

const CUE: T.Cue = {
  offered: '',
  asked: '',
  reaction: '',
  selected: '',
  answered: '',
  event: '',
  over: false,
  read: false,
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
  steps: [],
};

function step(value: unknown): T.LessonStep {
  const made = fill(STEP, value);
  return { ...made, when: fill(CUE, made.when), done: fill(CUE, made.done) };
}

export function lesson(value: unknown): T.Lesson {
  const made = fill(LESSON, value);
  return { ...made, steps: each(made.steps, step) };
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
};

export function battle(value: unknown): T.Battle {
  const made = fill(BATTLE, value);
  const verb: T.VerbHelp = { verb: '', title: '', text: '', rule: '', letter: '', odds: true };
  return {
    ...made,
    board: board(made.board),
    verbs: each(made.verbs, (item) => fill(verb, item)),
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
