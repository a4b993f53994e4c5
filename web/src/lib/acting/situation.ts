/** A question taken apart: who can act, which unit it is about, and how it can be passed. Knows no game's rules. */
import type { AskView, Option, UnitView } from '../types';

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

/** Whether the question is "which unit?": one option for each, all alike. */
export function picksUnits(situation: Situation): boolean {
  const { ask, actors } = situation;
  if (actors.size < 2 || ask.reaction) return false;
  const about = ask.options.filter((option) => option.unit);
  return about.every((o) => o.verb === about[0]!.verb && !o.target) && [...actors.values()].every((o) => o.length === 1);
}

/** Single models of ours that a run of questions takes in or leaves out one by one, until it is `done`; none elsewhere. */
export function togglesOf({ ask, pass }: Situation): Option[] {
  return pass?.verb === 'done' ? ask.options.filter((option) => option.model && !option.target) : [];
}

/** Whether the question is "which unit?", and there is only one left. */
export function isLastUnit({ ask }: Situation): boolean {
  const [only, ...more] = ask.options;
  return Boolean(only?.unit) && !more.length && !only?.target && !only?.place && !ask.reaction && !ask.dice;
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
