/** Odds as people read them: percentages and the likeliest outcomes. */
import type { Chance, ChangeView, OddsView } from '../../lib/types';

/** Whom a change befalls to his harm; "" where it harms nobody. */
export type Whose = 'them' | 'us' | '';

/** What a change is to the side that is asked. */
export function whose(odds: OddsView, change: ChangeView): Whose {
  if (!change.harm || !change.side) return '';
  return change.side === odds.side ? 'us' : 'them';
}

/** The parts of odds by whom they harm: never added up. */
export function partsBySide(odds: OddsView): Record<'them' | 'us' | 'besides', Chance[]> {
  const found: Record<'them' | 'us' | 'besides', Chance[]> = { them: [], us: [], besides: [] };
  for (const part of odds.parts) found[(part.changes[0] && whose(odds, part.changes[0])) || 'besides'].push(part);
  return found;
}

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

/** Whether there is anything to tell: a roll, more than one way it can end, or something that is sure to happen. */
export function isWorthTelling(odds: OddsView): boolean {
  return odds.tallies.length > 0 || odds.outcomes.length > 1 || odds.outcomes.some((outcome) => outcome.changes.length > 0);
}

/** What each side does to the other, in a line: the two are never one figure. */
export function headline(odds: OddsView): string {
  const parts = [`You to them ${percent(odds.to_them.probability)}`, `they to you ${percent(odds.to_us.probability)}`];
  if (odds.besides.probability > 0 && !odds.to_them.probability && !odds.to_us.probability) return `${percent(odds.besides.probability)} chance of an effect`;
  return parts.join(', ');
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
  return `${headline(odds)}. ${best.join('; ')}.`;
}

/** How much worse it is to be out of the fight than a single harm, and the most that a harm with a figure counts. */
const WORSE = 4;
const MOST_HARM = 3;

/** How likely it is that a unit is put out of the fight. */
export function outOfFight(odds: OddsView, unit: string): number {
  const out = odds.outcomes.filter((outcome) => outcome.changes.some((change) => change.unit === unit && change.fatal));
  return out.reduce((sum, outcome) => sum + outcome.probability, 0);
}

/** What one way of ending does to a unit, in single harms: out of the fight is as bad as several. */
function harmIn(outcome: Chance, unit: string): number {
  const harm = (change: ChangeView): number => (change.fatal ? WORSE : Math.min(MOST_HARM, change.amount || 1));
  return Math.max(0, ...outcome.changes.filter((change) => change.unit === unit && change.harm).map(harm));
}

/** How much harm a unit has to expect, in single harms; an amount counts as often as it comes. */
export function harmTo(odds: OddsView, unit: string): number {
  return odds.outcomes.reduce((sum, outcome) => sum + outcome.probability * harmIn(outcome, unit), 0);
}

/** What a choice is worth, and how far an estimate from a few samples may be off; exact odds leave no doubt. */
export interface Worth {
  mean: number;
  doubt: number;
}

/** So many standard errors are in doubt; and what has not come up in so many samples may still come that often. */
const ERRORS = 3;

/** What a choice is worth by its odds: harm to the enemy that is aimed at, else what it does to them less what it does to us. */
export function worthOf(odds: OddsView, enemy = ''): Worth {
  const [them, us] = [odds.to_them.probability, odds.to_us.probability];
  const mean = enemy ? harmTo(odds, enemy) : them - us;
  if (odds.exact) return { mean, doubt: 0 };
  const spread = enemy
    ? odds.outcomes.reduce((sum, outcome) => sum + outcome.probability * (harmIn(outcome, enemy) - mean) ** 2, 0)
    : them * (1 - them) + us * (1 - us);
  const samples = Math.max(odds.samples, 1);
  return { mean, doubt: ERRORS * (Math.sqrt(spread / samples) + 1 / samples) };
}

/** What harms a unit most comes first; what is as bad goes by what each side does to the other. */
export function hardestFirst<T>(things: readonly T[], oddsOf: (thing: T) => OddsView | undefined, unit: string): T[] {
  const harm = (thing: T): number => {
    const odds = oddsOf(thing);
    return odds ? harmTo(odds, unit) : -1;
  };
  return bestFirst(things, oddsOf)
    .map((thing, at) => ({ thing, at, harm: harm(thing) }))
    .sort((a, b) => b.harm - a.harm || a.at - b.at)
    .map((entry) => entry.thing);
}

/** Best first: what does more to them than to us; what is not known yet comes last, in the order it came. */
export function bestFirst<T>(things: readonly T[], oddsOf: (thing: T) => OddsView | undefined): T[] {
  const worth = (odds: OddsView | undefined): number =>
    odds ? odds.to_them.probability - odds.to_us.probability + odds.besides.probability / 100 : -Infinity;
  return things
    .map((thing, at) => ({ thing, at, worth: worth(oddsOf(thing)) }))
    .sort((a, b) => (a.worth === b.worth ? a.at - b.at : b.worth - a.worth))
    .map((entry) => entry.thing);
}

/** What most of all is otherwise than with another answer: "loses 4.5 men on average", "20 % breaks and is destroyed". */
export function contrast(odds: OddsView, other: OddsView, most = 2): string[] {
  const kind = ({ changes: [change] }: Chance): string => (change ? `${change.unit} ${change.what}` : '');
  // How much of it is to be expected: an amount counts as often as it comes.
  const weight = (part: Chance | undefined): number => (part ? part.probability * (part.mean || 1) : 0);
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
