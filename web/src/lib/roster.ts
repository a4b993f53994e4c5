/** The units of one side as a list: those that can act first, then the others on the map, then those that are not there. */
import type { UnitView } from './types';

export function rosterOf(units: readonly UnitView[], side: string, ready: ReadonlySet<string>): UnitView[] {
  const rank = ({ id, place, with_unit }: UnitView): number => (ready.has(id) ? 0 : place || with_unit ? 1 : 2);
  return units.filter((unit) => unit.side === side).sort((a, b) => rank(a) - rank(b));
}

/** What is left of a unit and where it is: its figures, and on a map of hexes its hex, for people know those. */
export function strengthOf({ values, place }: UnitView, table: boolean): string {
  return [values, table ? '' : place].filter(Boolean).join(' · ');
}
