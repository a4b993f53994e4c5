/** What a click means: options as things to click, told from a question and a prospect alone. Knows no game's rules. */
import type { AskView, Journey, Option, Prospect, UnitView } from './types';

/** What an option is clicked at: a counter, a hex, or neither (then it is a button). */
export interface Spot {
  unit?: string;
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

/** Where every counter stands. */
export type Homes = ReadonlyMap<string, UnitView>;

/** A question taken apart: who can act, and which options belong to nobody and nowhere. */
export interface Situation {
  ask: AskView;
  actors: Map<string, Option[]>;
  /** The only unit that the question is about, if it is about one. */
  sole: string;
  /** Options without a unit, a place or a target. */
  bare: Option[];
  /** The option that passes or ends; null when there is none. */
  pass: Option | null;
}

export function homesOf(units: readonly UnitView[]): Homes {
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** The option that ends or passes: by the two words that every game shares. */
export function passOf(ask: AskView): Option | null {
  return ask.options.find((o) => o.verb === 'pass') ?? ask.options.find((o) => o.verb === 'done') ?? null;
}

export function situationOf(ask: AskView): Situation {
  const actors = new Map<string, Option[]>();
  const bare: Option[] = [];
  for (const option of ask.options) {
    if (option.unit) {
      const own = actors.get(option.unit);
      if (own) own.push(option);
      else actors.set(option.unit, [option]);
    } else if (!option.place && !option.target) bare.push(option);
  }
  const sole = actors.size === 1 && !ask.reaction ? [...actors.keys()][0]! : '';
  return { ask, actors, sole, bare, pass: passOf(ask) };
}

/** Where an option is clicked: at its target, at its place when its unit is not there already, or at its unit. */
export function spotOf(option: Option, homes: Homes): Spot {
  const target = option.target ? homes.get(option.target) : undefined;
  if (target) return { unit: target.id, place: target.place || option.place };
  const home = option.unit ? homes.get(option.unit) : undefined;
  if (option.place && option.place !== home?.place) return { place: option.place };
  if (home?.place) return { unit: home.id, place: home.place };
  if (option.place) return { place: option.place };
  return {};
}

/** Whether an option is clicked somewhere else than at the unit that acts. */
export function isElsewhere(choice: Choice): boolean {
  return spotIsSet(choice.spot) && !(choice.unit !== '' && choice.spot.unit === choice.unit);
}

/** Whether a choice aims at a counter, other than that of the unit that acts. */
export function isAimed(choice: Choice): boolean {
  return Boolean(choice.spot.unit) && choice.spot.unit !== choice.unit && choice.option.target !== '';
}

function spotIsSet(spot: Spot): boolean {
  return Boolean(spot.unit || spot.place);
}

function choiceOf(root: Option, option: Option, homes: Homes): Choice {
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

export function costOf(journey: Journey): string {
  return `${amount(journey.cost)}${journey.currency ? ` ${journey.currency}` : ''}`;
}

/** A cost as it is written on a map: halves as ½. */
export function amount(cost: number): string {
  const whole = Math.trunc(cost);
  const rest = Math.abs(cost - whole);
  if (rest === 0) return String(cost);
  if (Math.abs(rest - 0.5) < 1e-9) return whole === 0 ? '½' : `${whole}½`;
  return cost.toFixed(1);
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

/** Choices by hex and by counter, best first; a counter's choices also lie in its hex. */
export interface Marks {
  places: Map<string, Choice[]>;
  units: Map<string, Choice[]>;
}

export function marksOf(choices: readonly Choice[]): Marks {
  const places = new Map<string, Choice[]>();
  const units = new Map<string, Choice[]>();
  const add = (map: Map<string, Choice[]>, key: string, choice: Choice): void => {
    const list = map.get(key);
    if (list) list.push(choice);
    else map.set(key, [choice]);
  };
  for (const choice of choices) {
    if (choice.spot.unit) add(units, choice.spot.unit, choice);
    else if (choice.spot.place) add(places, choice.spot.place, choice);
  }
  for (const [place, list] of places) places.set(place, cheapest(list));
  for (const [unit, list] of units) units.set(unit, toldApart(list));
  return { places, units };
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

/** Best first, and of the ways that end alike only the best. */
function cheapest(choices: Choice[]): Choice[] {
  const seen = new Set<string>();
  return [...choices].sort(byCost).filter((choice) => {
    if (!choice.journey) return true;
    const end = `${choice.root.verb} ${choice.journey.facing}`;
    return !seen.has(end) && Boolean(seen.add(end));
  });
}

/** What a click leads to. */
export type Act =
  | { do: 'nothing' }
  | { do: 'select'; unit: string | null }
  | { do: 'preview'; spot: Spot; choices: Choice[] }
  | { do: 'answer'; choice: Choice }
  | { do: 'why'; unit: string; thing: string };

export interface Pending {
  spot: Spot;
  choices: Choice[];
  index: number;
  /** Whether the player has pointed at one of them. */
  touched?: boolean;
}

export interface Scene {
  situation: Situation | null;
  selected: string | null;
  me: string;
  homes: Homes;
  marks: Marks;
  pending: Pending | null;
  /** Whether a click on the map shows first what it would do. */
  confirm: boolean;
  /** On a table a question of "which unit?" is answered by the first click: it can be undone. */
  table?: boolean;
}

/** Whether one click is enough: nothing is lost by it, since the question is one of laying out. */
export function isPlain(situation: Situation, choices: readonly Choice[]): boolean {
  const choice = choices[0];
  if (choices.length !== 1 || !choice || choice.keys.length > 1 || choice.journey || choice.option.target) return false;
  const verbs = new Set(situation.ask.options.filter((o) => o.unit || o.place).map((o) => o.verb));
  return situation.ask.quiet && verbs.size === 1 && situation.actors.size <= 1;
}

export function sameSpot(a: Spot, b: Spot): boolean {
  if (a.unit || b.unit) return a.unit === b.unit;
  return a.place === b.place;
}

function offer(scene: Scene, spot: Spot, choices: Choice[]): Act {
  const { pending, situation } = scene;
  if (pending && sameSpot(pending.spot, spot)) {
    const choice = pending.choices[pending.index];
    if (choice) return { do: 'answer', choice };
  }
  const only = choices[0];
  if (only && situation && isPlain(situation, choices)) return { do: 'answer', choice: only };
  if (only && choices.length === 1 && !scene.confirm && !isAimed(only)) return { do: 'answer', choice: only };
  return { do: 'preview', spot, choices };
}

/** What a click on a counter means. */
export function clickUnit(scene: Scene, id: string): Act {
  const { situation, marks, homes, selected } = scene;
  const unit = homes.get(id);
  if (!situation || !unit) return { do: 'select', unit: selected === id ? null : id };
  const acting = situation.sole || (selected ?? '');
  const actor = situation.actors.has(id);
  const at = marks.units.get(id) ?? [];
  const others = at.filter((choice) => choice.unit !== id);
  // What is done to the hex of an enemy is done to him as well: his counter hides the hex.
  const there = unit.side === scene.me ? [] : (marks.places.get(unit.place) ?? []).filter((choice) => !choice.journey);
  if (others.length) return offer(scene, { unit: id, place: unit.place }, [...others, ...there]);
  if (scene.table && actor && situation.ask.quiet && (picksUnits(situation) || isLastUnit(situation))) {
    const option = situation.actors.get(id)![0]!;
    return { do: 'answer', choice: choiceOf(option, option, homes) };
  }
  // Who rides in it has no place of its own to click.
  const rider = scene.table && !actor ? [...situation.actors.keys()].find((other) => homes.get(other)?.with_unit === id) : undefined;
  if (rider) return clickUnit(scene, rider);
  if (actor && id !== acting) return { do: 'select', unit: id };
  if (id === acting) {
    if (at.length && (situation.sole || picksUnits(situation))) {
      return offer(scene, { unit: id, place: unit.place }, at);
    }
    return situation.sole ? { do: 'nothing' } : { do: 'select', unit: null };
  }
  const into = marks.places.get(unit.place);
  if (into?.length) return offer(scene, { place: unit.place }, into);
  if (unit.side === scene.me) return { do: 'select', unit: selected === id ? null : id };
  return acting ? { do: 'why', unit: acting, thing: id } : { do: 'select', unit: selected === id ? null : id };
}

/** Whether the question is "which unit?": one option for each, all alike. */
export function picksUnits(situation: Situation): boolean {
  const { ask, actors } = situation;
  if (actors.size < 2 || ask.reaction) return false;
  const about = ask.options.filter((option) => option.unit);
  return about.every((o) => o.verb === about[0]!.verb && !o.target) && [...actors.values()].every((o) => o.length === 1);
}

/** Whether the question is "which unit?", and there is only one left. */
export function isLastUnit({ ask }: Situation): boolean {
  const [only, ...more] = ask.options;
  return Boolean(only?.unit) && !more.length && !only?.target && !only?.place && !ask.reaction && !ask.dice;
}

/** What a click on a hex means. */
export function clickPlace(scene: Scene, place: string): Act {
  const { situation, marks, homes, selected } = scene;
  // A click between all marks of a table means no place at all, and not that of the units still to be placed.
  const own = place ? [...homes.values()].filter((unit) => unit.place === place) : [];
  if (!situation) return { do: 'nothing' };
  const acting = situation.sole || (selected ?? '');
  const here = marks.places.get(place);
  const targets = own.flatMap((unit) => (marks.units.get(unit.id) ?? []).filter((choice) => choice.unit !== unit.id));
  if (here?.length) return offer(scene, { place }, here.some((choice) => choice.journey) ? here : [...here, ...targets]);
  if (targets.length) return offer(scene, { place }, targets);
  const ready = own.filter((unit) => situation.actors.has(unit.id) && unit.id !== acting);
  if (ready.length && !situation.sole) return clickUnit(scene, ready[ready.length - 1]!.id);
  const home = acting ? homes.get(acting) : undefined;
  if (acting && home && place && home.place !== place) return { do: 'why', unit: acting, thing: place };
  if (acting && home && place) return clickUnit(scene, acting);
  return { do: 'nothing' };
}

/** The units that can act, in the order of the question, also those that are not on the map yet. */
export function readyUnits(situation: Situation | null, homes: Homes): string[] {
  return situation ? [...situation.actors.keys()].filter((id) => homes.has(id)) : [];
}

/** The unit after (or before) one in a ring. */
export function nextOf(ready: readonly string[], current: string | null, back = false): string | null {
  if (!ready.length) return null;
  const at = current === null ? -1 : ready.indexOf(current);
  if (at < 0) return ready[back ? ready.length - 1 : 0]!;
  return ready[(at + (back ? ready.length - 1 : 1)) % ready.length]!;
}

/** The options that belong on the bar itself: all of a short question, else the one that ends the unit's turn. */
export function quickOptions(situation: Situation, homes: Homes): Option[] {
  const { ask, sole, pass, actors } = situation;
  if (ask.dice || ask.reaction) return [];
  const rest = ask.options.filter((option) => option !== pass);
  const stays = (option: Option): boolean => {
    const spot = spotOf(option, homes);
    return !spotIsSet(spot) || (sole !== '' && spot.unit === sole) || sameEverywhere(ask.options, option);
  };
  if (rest.length <= 6 && actors.size <= 1 && rest.every(stays)) return rest;
  if (!sole) return [];
  const ends = rest.filter((option) => !option.cost && !option.target && spotOf(option, homes).unit === sole);
  return ends.length === 1 ? ends : [];
}

/** Whether all options lie in one and the same place, so that the map cannot tell them apart. */
function sameEverywhere(options: readonly Option[], option: Option): boolean {
  return options.every((other) => other.place === option.place);
}

/** What is asked, in plain words: the question and what to do next. */
export function hintFor(situation: Situation, selected: string | null, marks: Marks, homes: Homes, word = 'hex'): string {
  const { ask, sole, actors } = situation;
  if (ask.dice) return 'throw your dice and tell what they show';
  if (ask.reaction) return actors.size > 1 ? 'choose who reacts, or pass' : 'choose one, or pass';
  const targets = [...marks.units.keys()].filter((id) => homes.get(id)?.side !== ask.side).length;
  if (!sole && actors.size > 1 && !(selected && actors.has(selected))) {
    if (![...actors.keys()].some((id) => homes.get(id)?.place)) return 'choose one in the list';
    return picksUnits(situation) ? 'choose one of the marked units' : 'choose a unit';
  }
  if (quickOptions(situation, homes).length > 1) return 'choose one';
  const hexes = marks.places.size;
  const actor = sole || selected || '';
  const orders = (actors.get(actor) ?? []).some((option) => spotOf(option, homes).unit === actor);
  const what = hexes && targets ? `a marked ${word} or target` : hexes ? (hexes === 1 ? `the marked ${word}` : `a marked ${word}`) : 'a target';
  if (hexes || targets) return `click ${what}${orders ? ' or choose an order' : ''}`;
  if (ask.options.length < 2) return '';
  return selected || sole ? 'choose an order' : 'choose one';
}

/** Whether every place is equal and the player may leave the rest of the laying out to a program. */
export function isLayingOut(situation: Situation): boolean {
  const { ask, pass } = situation;
  if (ask.reaction || ask.dice || pass || ask.options.length < 2 || !ask.quiet) return false;
  return ask.options.every((o) => o.verb === ask.options[0]!.verb) && ask.options.every((o) => o.place);
}

/**
 * An answer for somebody who does not want to choose. Where all options lie in one place and there is one for each
 * facing, the one that looks to `goal`; else any one, by `random` in [0, 1).
 */
export function anyOption(
  ask: AskView,
  random: number,
  facings: readonly number[] = [],
  bearing: number | null = null,
): Option | null {
  const { options } = ask;
  if (!options.length) return null;
  const onePlace = options.every((option) => option.place && option.place === options[0]!.place);
  if (onePlace && bearing !== null && facings.length === options.length) {
    const off = (degrees: number): number => Math.abs(((degrees - bearing + 540) % 360) - 180);
    const best = facings.map((degrees, i) => [off(degrees), i] as const).sort((a, b) => a[0] - b[0])[0]!;
    return options[best[1]]!;
  }
  if (onePlace) return options[0]!;
  return options[Math.min(options.length - 1, Math.floor(random * options.length))]!;
}

/** The bearing from one point to another in degrees clockwise from up. */
export function bearingOf(from: { x: number; y: number }, to: { x: number; y: number }): number {
  return (Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI;
}
