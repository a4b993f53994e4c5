/** The luck report in words. */
import type { LuckView } from './types';

/** How far from the expected, in words. */
export function luckWords(deviations: number): string {
  const size = Math.abs(deviations);
  const word = deviations > 0 ? 'lucky' : 'unlucky';
  if (size < 0.5) return 'about as expected';
  if (size < 1) return `a little ${word}`;
  if (size < 2) return word;
  if (size < 3) return `very ${word}`;
  return `astonishingly ${word}`;
}

/** A side's luck: its kinds of roll that have a value, and all of them together. */
export interface SideLuck {
  side: string;
  rolls: number;
  deviations: number;
  kinds: LuckView[];
}

/**
 * The report by side, the kinds with most rolls first. Rolls whose meaning has no value (a place, a name) are counted
 * but not weighed. All together: the kinds' deviations weighed by the root of their rolls, which again has a standard
 * deviation of one.
 */
export function luckBySide(luck: readonly LuckView[], sides: readonly string[]): SideLuck[] {
  const found = [...sides, ...luck.map((row) => row.side).filter((side) => !sides.includes(side))];
  return [...new Set(found)]
    .map((side) => {
      const rows = luck.filter((row) => row.side === side);
      const kinds = rows
        .filter((row) => row.value !== 0 || row.expected !== 0)
        .sort((a, b) => b.rolls - a.rolls || a.what.localeCompare(b.what));
      const weighed = kinds.reduce((sum, row) => sum + row.rolls, 0);
      const together = kinds.reduce((sum, row) => sum + row.deviations * Math.sqrt(row.rolls), 0);
      return {
        side,
        rolls: rows.reduce((sum, row) => sum + row.rolls, 0),
        deviations: weighed ? together / Math.sqrt(weighed) : 0,
        kinds,
      };
    })
    .filter((side) => side.rolls > 0);
}

/** A number with at most one decimal. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Casualties counted: "Rifle Squad" three times → "3 × Rifle Squad". */
export function counted(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name));
}
