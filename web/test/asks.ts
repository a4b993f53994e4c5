/** Questions, options, units and journeys for tests: complete records from the few fields that matter. */
import { OPTION } from '../src/lib/normalise-view';
import type { AskView, Journey, Option, UnitView } from '../src/lib/types';

export const option = (key: string, rest: Partial<Option> = {}): Option => ({
  ...OPTION,
  key,
  verb: key.split(' ')[0]!,
  ...rest,
});

export const question = (options: Option[], rest: Partial<AskView> = {}): AskView => ({
  seq: 7,
  side: 'blue',
  prompt: 'Your Impulse (7 left)',
  options,
  reaction: '',
  rule: '',
  quiet: true,
  dice: null,
  area: null,
  draft: null,
  ...rest,
});

export const piece = (id: string, side: string, place: string): UnitView => ({
  id,
  side,
  name: 'Squad',
  symbol: '',
  place,
  facing: 0,
  stack: 0,
  with_unit: '',
  states: [],
  stats: {},
  short: '',
  values: '',
  badges: [],
  models: [],
});

export const journey = (place: string, keys: string[], cost: number, rest: Partial<Journey> = {}): Journey => ({
  place,
  keys,
  cost,
  currency: 'MP',
  via: [place],
  reactors: [],
  rolls: [],
  facing: 0,
  ...rest,
});
