/** Odds as people read them: percentages and the likeliest outcomes. */
import type { Chance, OddsView } from '../../lib/types';

/** A chance as a whole percentage that never says "certain" or "never" when it is not. */
export function percent(probability: number): string {
  if (probability <= 0) return '0 %';
  if (probability >= 1) return '100 %';
  const rounded = Math.round(probability * 100);
  if (rounded < 1) return '<1 %';
  if (rounded > 99) return '>99 %';
  return `${rounded} %`;
}

/** A chance with one decimal, for the lines of a list. */
export function fine(probability: number): string {
  if (probability <= 0 || probability >= 1) return percent(probability);
  const text = (probability * 100).toFixed(1);
  if (text === '0.0') return '<0.1 %';
  return text === '100.0' ? '>99.9 %' : `${text} %`;
}

/** Whether a fraction tells more than it takes room; of many dice it has many digits. */
export function isShort(fraction: string): boolean {
  return fraction !== '' && fraction.length <= 13;
}

/** Whether there is anything to tell: a roll, or more than one way it can end. */
export function isWorthTelling(odds: OddsView): boolean {
  return odds.tallies.length > 0 || odds.outcomes.length > 1;
}

/** The likeliest outcomes first; the rest in one line. */
export function outcomesOf(odds: OddsView, most = 6): { shown: Chance[]; rest: number; restChance: number } {
  const sorted = [...odds.outcomes].sort((a, b) => b.probability - a.probability);
  const shown = sorted.length <= most + 1 ? sorted : sorted.slice(0, most);
  const left = sorted.slice(shown.length);
  return { shown, rest: left.length, restChance: left.reduce((sum, chance) => sum + chance.probability, 0) };
}

/** What a screen reader hears. */
export function spoken(odds: OddsView): string {
  const best = outcomesOf(odds, 3).shown.map((chance) => `${percent(chance.probability)} ${chance.text}`);
  return `${percent(odds.effect.probability)} chance of an effect. ${best.join('; ')}.`;
}

/** A figure that stands by itself: not the one in a unit's name. */
const FIGURE = /(?<![\w.])\d+(\.\d+)?(?![\w.])/;
/** How much worse it is to be out of the fight than a single harm, and the most that a harm with a figure counts. */
const WORSE = 4;
const MOST_HARM = 3;

/** The results of an outcome that are about a unit, by its name. */
function about(outcome: Chance, name: string): string[] {
  return outcome.results.filter((result) => result.split(name).slice(1).some((rest) => !/^\w/.test(rest)));
}

/** How likely it is that a unit, by its name, is put out of the fight. */
export function outOfFight(odds: OddsView, name: string): number {
  const out = odds.outcomes.filter((outcome) => about(outcome, name).some((result) => odds.fatal.includes(result)));
  return out.reduce((sum, outcome) => sum + outcome.probability, 0);
}

/** How much harm a unit has to expect, in single harms: to be out of the fight is as bad as several, a figure counts as often as it comes. */
export function harmTo(odds: OddsView, name: string): number {
  const harm = (result: string): number => (odds.fatal.includes(result) ? WORSE : Math.min(MOST_HARM, Number(FIGURE.exec(result.replace(name, ''))?.[0] ?? 1)));
  return odds.outcomes.reduce((sum, outcome) => sum + outcome.probability * Math.max(0, ...about(outcome, name).map(harm)), 0);
}

/** What harms a unit most comes first; what is as bad by the chance of any effect. */
export function hardestFirst<T>(things: readonly T[], oddsOf: (thing: T) => OddsView | undefined, name: string): T[] {
  const harm = (thing: T): number => {
    const odds = oddsOf(thing);
    return odds ? harmTo(odds, name) : -1;
  };
  return bestFirst(things, oddsOf)
    .map((thing, at) => ({ thing, at, harm: harm(thing) }))
    .sort((a, b) => b.harm - a.harm || a.at - b.at)
    .map((entry) => entry.thing);
}

/** Best first: the higher chance of an effect; what is not known yet comes last, in the order it came. */
export function bestFirst<T>(things: readonly T[], oddsOf: (thing: T) => OddsView | undefined): T[] {
  return things
    .map((thing, at) => ({ thing, at, chance: oddsOf(thing)?.effect.probability ?? -1 }))
    .sort((a, b) => b.chance - a.chance || a.at - b.at)
    .map((entry) => entry.thing);
}


/** What most of all is otherwise than with another answer: "loses 4.5 men on average", "20 % breaks and is destroyed". */
export function contrast(odds: OddsView, other: OddsView, most = 2): string[] {
  const kind = (part: Chance): string => part.text.replace(FIGURE, '#');
  // How much of it is to be expected: a figure counts as often as it comes.
  const weight = (part: Chance | undefined): number => (part ? part.probability * Number(FIGURE.exec(part.text)?.[0] ?? 1) : 0);
  const others = new Map(other.parts.map((part) => [kind(part), part]));
  return odds.parts
    .map((part) => {
      const [here, there] = [weight(part), weight(others.get(kind(part)))];
      return { part, gap: (Math.abs(here - there) / Math.max(here, there, 1e-9)) * Math.max(part.probability, others.get(kind(part))?.probability ?? 0) };
    })
    .filter(({ gap }) => gap > 0.02)
    .sort((a, b) => b.gap - a.gap)
    .slice(0, most)
    .map(({ part }) => (part.probability > 0.95 ? part.text : `${percent(part.probability)} ${part.text}`));
}
