/** Options as things to click: what can be chosen, where it is clicked, and what it costs. Knows no game's rules. */
import type { Homes, Situation } from './situation';
import type { Worth } from '../../components/act/odds';
import type { Journey, Option, Prospect, UnitView } from '../types';

/** What an option is clicked at: a counter, one of its models, a hex, or none of them (then it is a button). */
export interface Spot {
  unit?: string;
  /** The model of the unit that is meant, where it is a single one. */
  model?: string;
  place?: string;
}

/** Something to choose: the answers that it takes, one after the other, and how it is shown. */
export interface Choice {
  /** Every answer from the standing question on. */
  keys: string[];
  /** The first option that it answers, and the last. */
  root: Option;
  option: Option;
  label: string;
  cost: string;
  rule: string;
  /** Who acts, "" for the side itself. */
  unit: string;
  spot: Spot;
  journey?: Journey;
}

/** Where an option is clicked: at its target, at its place when its unit is not there already, or at its unit. */
export function spotOf(option: Option, homes: Homes): Spot {
  const target = option.target ? homes.get(option.target) : undefined;
  const single = target ? modelSpot(target, option.target_model) : modelSpot(homes.get(option.unit), option.model);
  if (single) return single;
  if (target) return { unit: target.id, place: target.place || option.place };
  const home = option.unit ? homes.get(option.unit) : undefined;
  if (option.place && option.place !== home?.place) return { place: option.place };
  if (home?.place) return { unit: home.id, place: home.place };
  if (option.place) return { place: option.place };
  return {};
}

/** One model of a unit, where it stands. */
function modelSpot(unit: UnitView | undefined, id: string): Spot | null {
  const model = id ? unit?.models.find((each) => each.id === id) : undefined;
  return unit && model ? { unit: unit.id, model: model.id, place: `${model.x},${model.y}` } : null;
}

/** Whether an option is clicked somewhere else than at the unit that acts. */
export function isElsewhere(choice: Choice): boolean {
  return spotIsSet(choice.spot) && !(choice.unit !== '' && choice.spot.unit === choice.unit && !choice.spot.model);
}

/** Whether a choice aims at a counter, other than that of the unit that acts. */
export function isAimed(choice: Choice): boolean {
  return Boolean(choice.spot.unit) && choice.spot.unit !== choice.unit && choice.option.target !== '';
}

export function spotIsSet(spot: Spot): boolean {
  return Boolean(spot.unit || spot.place);
}

export function choiceOf(root: Option, option: Option, homes: Homes): Choice {
  return {
    keys: root === option ? [root.key] : [root.key, option.key],
    root,
    option,
    label: option.label || option.key,
    cost: joinCosts(root === option ? [option.cost] : [root.cost, option.cost]),
    rule: option.rule || root.rule,
    unit: option.unit || root.unit,
    spot: spotOf(option, homes),
  };
}

function joinCosts(costs: string[]): string {
  return costs.filter(Boolean).join(' + ');
}

/** What a journey costs, in words: "3 MP"; a sign such as ″ follows its number at once. */
export function costOf({ cost, currency }: Journey): string {
  return `${amount(cost)}${/^\w/.test(currency) ? ' ' : ''}${currency}`;
}

const SIXTHS = ['', '⅙', '⅓', '½', '⅔', '⅚'];

/** A cost as it is written on a map: halves, thirds and sixths as ½, ⅓ and ⅙. */
export function amount(cost: number): string {
  const sixths = Math.round(cost * 6);
  if (Math.abs(cost * 6 - sixths) > 1e-6) return cost.toFixed(1);
  const whole = Math.trunc(sixths / 6);
  return `${whole || sixths === 0 ? whole : ''}${SIXTHS[sixths % 6]}`;
}

/** Cheapest first, then the safest. */
function byCost(a: Choice, b: Choice): number {
  const cost = (a.journey?.cost ?? 0) - (b.journey?.cost ?? 0);
  if (cost) return cost;
  return (a.journey?.reactors.length ?? 0) - (b.journey?.reactors.length ?? 0) || a.keys.length - b.keys.length;
}

/**
 * Everything that can be chosen now, with the unit that is selected ("" for none) and what its options lead to.
 * `only` keeps one option of the question and what follows it.
 */
export function choicesFor(
  situation: Situation,
  selected: string,
  prospect: Prospect | null,
  homes: Homes,
  only = '',
): Choice[] {
  const unit = situation.sole || selected;
  const roots = situation.ask.options.filter(
    (option) => (!only || option.key === only) && (!unit || !option.unit || option.unit === unit),
  );
  const branches = new Map(
    (prospect && prospect.unit === unit ? prospect.branches : []).map((branch) => [branch.option.key, branch]),
  );
  const reached = new Set([...branches.values()].flatMap((branch) => branch.journeys.map((journey) => journey.place)));
  const choices: Choice[] = [];
  const singles = new Set(roots.map((root) => root.key));
  for (const root of roots) {
    const branch = branches.get(root.key);
    const journeys = branch?.journeys ?? [];
    const follow = (branch?.follow ?? [])
      // Which of its own stands a unit means is chosen when it is asked: there may be several.
      .filter((option) => !option.model || option.target)
      .map((option) => choiceOf(root, option, homes))
      // The steps of a move are among its journeys.
      .filter((choice) => isElsewhere(choice) && (choice.spot.unit || !reached.has(choice.spot.place ?? '')));
    for (const journey of journeys) {
      // A journey of one answer is that option itself.
      if (journey.keys.length === 1) singles.delete(journey.keys[0]!);
      const step = journey.keys.length === 1 ? roots.find((option) => option.key === journey.keys[0]) : undefined;
      choices.push(journeyChoice(root, journey, Boolean(situation.sole), step?.label));
    }
    choices.push(...follow);
  }
  for (const root of roots) {
    if (!singles.has(root.key)) continue;
    const branch = branches.get(root.key);
    const staged = Boolean(branch && (branch.journeys.length || branch.follow.length));
    const choice = choiceOf(root, root, homes);
    // What has been unfolded on the map already stays as a button only.
    if (staged && !isElsewhere(choice)) choice.spot = {};
    choices.push(choice);
  }
  return choices;
}

/** A journey as a choice; `name` is what its only answer is called, for a step may be more than a step: a tank backs up. */
function journeyChoice(root: Option, journey: Journey, underWay: boolean, name = ''): Choice {
  return {
    keys: journey.keys,
    root,
    option: root,
    label: underWay ? name || `To ${journey.place}` : `${root.label || root.key}: to ${journey.place}`,
    cost: costOf(journey),
    rule: root.rule,
    unit: root.unit,
    spot: { place: journey.place },
    journey,
  };
}

/** Choices by hex and by counter, best first; a counter's choices also lie in its hex, and a model's at its unit. */
export interface Marks {
  places: Map<string, Choice[]>;
  units: Map<string, Choice[]>;
  /** Those that mean a single model, by `modelName`. */
  models: Map<string, Choice[]>;
}

/** A model of a unit as one word. */
export function modelName(unit: string, model: string): string {
  return `${unit}/${model}`;
}

export function marksOf(choices: readonly Choice[]): Marks {
  const places = new Map<string, Choice[]>();
  const units = new Map<string, Choice[]>();
  const models = new Map<string, Choice[]>();
  const add = (map: Map<string, Choice[]>, key: string, choice: Choice): void => {
    const list = map.get(key);
    if (list) list.push(choice);
    else map.set(key, [choice]);
  };
  for (const choice of choices) {
    if (choice.spot.unit && choice.spot.model) add(models, modelName(choice.spot.unit, choice.spot.model), choice);
    if (choice.spot.unit) add(units, choice.spot.unit, choice);
    else if (choice.spot.place) add(places, choice.spot.place, choice);
  }
  for (const [place, list] of places) places.set(place, cheapest(list));
  for (const [unit, list] of units) units.set(unit, toldApart(list));
  for (const [model, list] of models) models.set(model, toldApart(list));
  return { places, units, models };
}

/**
 * The plain way first, then those that begin with a choice of their own, such as weapon by weapon. Ways that are called
 * alike are called by the order that they begin with, and what it costs.
 */
function toldApart(ways: Choice[]): Choice[] {
  const choices = [...ways].sort((a, b) => Number(a.keys.length > 1) - Number(b.keys.length > 1));
  const counts = new Map<string, number>();
  for (const { label } of choices) counts.set(label, (counts.get(label) ?? 0) + 1);
  return choices.map((choice) => {
    if (choice.keys.length < 2 || counts.get(choice.label) === 1) return choice;
    const order = choice.root.label || choice.root.key;
    return { ...choice, label: choice.cost ? `${order} (${choice.cost})` : order };
  });
}

/** What makes less than this of a difference is no reason to answer more questions. */
const AS_GOOD = 0.02;

/**
 * Of ways that are as good as the best, the one with the fewest answers comes first: the others ask more on the way. A lead
 * that a few more samples may turn round is none.
 */
export function plainFirst(sorted: readonly Choice[], worth: (choice: Choice) => Worth): Choice[] {
  const [best] = sorted;
  if (!best) return [];
  const top = worth(best);
  const asGood = sorted.filter((choice) => {
    const { mean, doubt } = worth(choice);
    return top.mean - mean < AS_GOOD + Math.hypot(top.doubt, doubt);
  });
  const plain = asGood.reduce((a, b) => (b.keys.length < a.keys.length ? b : a), best);
  return [plain, ...sorted.filter((choice) => choice !== plain)];
}

/** Best first, and of the ways that end alike only the best. */
function cheapest(choices: Choice[]): Choice[] {
  const seen = new Set<string>();
  return [...choices].sort(byCost).filter((choice) => {
    if (!choice.journey) return true;
    const end = `${choice.root.verb} ${choice.journey.facing}`;
    return !seen.has(end) && Boolean(seen.add(end));
  });
}

export interface Pending {
  spot: Spot;
  choices: Choice[];
  index: number;
  /** Whether the player has pointed at one of them. */
  touched?: boolean;
}

export function sameSpot(a: Spot, b: Spot): boolean {
  if (a.unit || b.unit) return a.unit === b.unit && a.model === b.model;
  return a.place === b.place;
}
