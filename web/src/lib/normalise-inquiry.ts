/** What the server answers to those who look closer: odds, thoughts, prospects, sight, charts, rules. Its fields are filled in. */
import { each, fill, maybe } from './normalise-fields';
import { graphic, OPTION, option, tally } from './normalise-view';
import type * as T from './types';

const CHANGE: T.ChangeView = { text: '', what: '', unit: '', side: '', amount: 0, harm: false, fatal: false };
const CHANCE: T.Chance = { probability: 0, fraction: '', text: '', changes: [], mean: 0 };
const ASSUMED: T.AssumedView = { side: '', prompt: '', key: '', label: '', text: '' };
const change = (value: unknown): T.ChangeView => fill(CHANGE, value);

function chance(value: unknown): T.Chance {
  const made = fill(CHANCE, value);
  return { ...made, changes: each(made.changes, change) };
}

export function odds(value: unknown): T.OddsView {
  const made = fill<T.OddsView>(
    {
      keys: [],
      side: '',
      exact: true,
      samples: 0,
      to_them: CHANCE,
      to_us: CHANCE,
      besides: CHANCE,
      outcomes: [],
      parts: [],
      tallies: [],
      anyway: [],
      assumed: [],
      reached: 1,
      ends: [],
    },
    value,
  );
  return {
    ...made,
    to_them: chance(made.to_them),
    to_us: chance(made.to_us),
    besides: chance(made.besides),
    outcomes: each(made.outcomes, chance),
    parts: each(made.parts, chance),
    tallies: each(made.tallies, tally),
    anyway: each(made.anyway, change),
    assumed: each(made.assumed, (item) => fill(ASSUMED, item)),
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
  const empty: T.PreviewView = { key: '', legal: false, bar: null, models: [], cost: '', lines: [], polygons: [], outline: [], bars: [], tints: {}, graphics: [] };
  const model: T.ModelPose = { id: '', x: 0, y: 0, heading: 0, path: [] };
  const made = fill(empty, value);
  const models = each(made.models, (item) => fill(model, item));
  return { ...made, bar: maybe(made.bar, bar), models, bars: bars(made.bars), graphics: each(made.graphics, graphic) };
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
