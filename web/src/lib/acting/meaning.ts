/** What a click means, told from a question and its choices alone. Knows no game's rules. */
import { choiceOf, isAimed, modelName, sameSpot, type Choice, type Marks, type Pending, type Spot } from './choices';
import { isLastUnit, picksUnits, togglesOf, type Homes, type Situation } from './situation';

/** What a click leads to. */
export type Act =
  | { do: 'nothing' }
  | { do: 'select'; unit: string | null }
  | { do: 'preview'; spot: Spot; choices: Choice[] }
  | { do: 'answer'; choice: Choice }
  | { do: 'why'; unit: string; thing: string };

export interface ClickContext {
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

function offer(scene: ClickContext, spot: Spot, choices: Choice[]): Act {
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

/** What a click on a single model means that an option is about. */
export function clickModel(scene: ClickContext, unit: string, model: string): Act {
  const { situation, marks } = scene;
  const choices = marks.models.get(modelName(unit, model));
  const [only] = choices ?? [];
  if (!situation || !choices || !only) return { do: 'nothing' };
  // What is taken in by one click is left out again by another.
  if (choices.length === 1 && togglesOf(situation).includes(only.option)) return { do: 'answer', choice: only };
  return offer(scene, only.spot, choices);
}

/** What a click on a counter means. */
export function clickUnit(scene: ClickContext, id: string): Act {
  const { situation, marks, homes, selected } = scene;
  const unit = homes.get(id);
  if (!situation || !unit) return { do: 'select', unit: selected === id ? null : id };
  const acting = situation.sole || (selected ?? '');
  const actor = situation.actors.has(id);
  // A single model of ours is clicked itself.
  const at = (marks.units.get(id) ?? []).filter((choice) => choice.unit !== id || !choice.spot.model);
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

/** What a click on a hex means. */
export function clickPlace(scene: ClickContext, place: string): Act {
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
