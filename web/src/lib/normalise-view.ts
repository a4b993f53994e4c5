/** What a side sees, as the server tells it: units, markers, the log, the question. Its fields are filled in. */
import { each, fill, maybe } from './normalise-fields';
import type * as T from './types';

export const OPTION: T.Option = { key: '', label: '', verb: '', unit: '', place: '', target: '', cost: '', rule: '', range: -1, distance: '', model: '', target_model: '' };

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
export const MODEL: T.ModelView = {
  id: '',
  x: 0,
  y: 0,
  heading: 0,
  radius: 0,
  length: 0,
  width: 0,
  short: '',
  title: '',
  turret: -1,
  look: '',
  figures: 0,
  states: [],
  badges: [],
};
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
const TALLY: T.TallyView = { what: '', base: 0, total: 0, text: '', rule: '', source: '', lines: [], roll: '', side: '' };
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
  turn: 0,
  meaning: '',
  needed: '',
  total: 0,
  whom: '',
  change: '',
  harm: false,
  fatal: false,
};

export function unit(value: unknown): T.UnitView {
  const made = fill(UNIT, value);
  return made.models.length ? { ...made, models: each(made.models, (item) => fill(MODEL, item)) } : made;
}

export const marker = (value: unknown): T.MarkerView => fill(MARKER, value);

const GRAPHIC: T.GraphicView = { id: '', kind: 'line', points: [], side: '', text: '' };
const FORMATION: T.FormationView = { id: '', name: '', side: '', units: [], formations: [] };

/** A formation with all that are below it. */
export function formation(value: unknown): T.FormationView {
  const made = fill(FORMATION, value);
  return { ...made, formations: each(made.formations, formation) };
}

export function tally(value: unknown): T.TallyView {
  const made = fill(TALLY, value);
  return { ...made, lines: each(made.lines, (line) => fill(TALLY_LINE, line)) };
}

export function logLine(value: unknown): T.LogLine {
  const made = fill(LINE, value);
  return made.tallies.length ? { ...made, tallies: each(made.tallies, tally) } : made;
}

const DICE: T.DiceView = {
  number: 1,
  sides: 6,
  what: '',
  tallies: [],
  owner: '',
  about: '',
  rules: [],
  meanings: [],
  things: [],
  so_far: [],
};

export function dice(value: unknown): T.DiceView {
  const made = fill(DICE, value);
  return {
    ...made,
    tallies: each(made.tallies, tally),
    things: each(made.things, (thing) => fill<T.DiceThing>({ title: '', word: '', number: 1 }, thing)),
    so_far: each(made.so_far, logLine),
  };
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

const FIELD: T.Field = { id: '', title: '', kind: 'text', choices: [], least: 0, most: 0, required: true, default: null, rule: '', help: '', fields: [] };

/** A field of a form with all that are in its rows. */
export function field(value: unknown): T.Field {
  const made = fill(FIELD, value);
  const choices = each(made.choices, (item) => fill<T.Field['choices'][number]>({ word: '', title: '' }, item));
  return { ...made, choices, fields: each(made.fields, field) };
}

export function draft(value: unknown): T.DraftView {
  const made = fill<T.DraftView>({ verb: '', label: '', fields: [], start: '', rule: '' }, value);
  return { ...made, fields: each(made.fields, field) };
}

export const graphic = (value: unknown): T.GraphicView => fill(GRAPHIC, value);

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
  draft: null,
};

export function ask(value: unknown): T.AskView {
  const made = fill(ASK, value);
  return { ...made, options: each(made.options, option), dice: maybe(made.dice, dice), area: maybe(made.area, area), draft: maybe(made.draft, draft) };
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
  graphics: [],
  formations: [],
  drafts: [],
  goal: null,
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
    graphics: each(made.graphics, graphic),
    formations: each(made.formations, formation),
    drafts: each(made.drafts, draft),
    goal: maybe(made.goal, (item) => fill<T.GoalView>({ task: '', stands: '', left: '' }, item)),
  };
}

const ORDER: T.StandingOrder = { side: '', reaction: '', beyond: null, below: null };
export const UPDATE: T.Update = {
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
  may_ask_back: 'nobody else is playing',
  take_back: null,
};

export function update(value: unknown): T.Update {
  const made = fill(UPDATE, value);
  return {
    ...made,
    view: view(made.view),
    frames: each(made.frames, (item) => fill<T.Frame>({ number: 0, turn: 0, phase: '', log: 0 }, item)),
    orders: each(made.orders, (item) => fill(ORDER, item)),
    take_back: maybe(made.take_back, (item) => fill<T.TakeBack>({ side: '', state: 'asked', lines: 0 }, item)),
    seats: each(made.seats, (item) => fill<T.SeatView>({ side: '', player: 'human', online: false }, item)),
  };
}

export function taken(value: unknown): T.Taken {
  const made = fill<T.Taken>({ taken: 0, update: UPDATE }, value);
  return { ...made, update: update(made.update) };
}
