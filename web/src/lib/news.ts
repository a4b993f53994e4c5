/** What just happened, chosen from the lines of a step: a few lines to read, and shots to see. */
import type { Shot } from './layers';
import { isAnswer, isRoll } from './log';
import type { LogLine, UnitView } from './types';

/** How many lines of a step are shown over the map. */
const MOST = 3;
/** How much longer a step stays for each further line, and the longest that it may stay, in paces. */
const LONGER = 0.4;
const LONGEST = 3;
/** Shots of so many lines are drawn: after a leap only the last. */
const SHOTS = 20;

/**
 * The lines of a step that tell most: what is about a unit, or else was rolled for, before sums of points. Of a long
 * step they are how it began and what came of it; of what one did oneself (`me`) only what came of it.
 */
export function newsOf(lines: readonly LogLine[], me = ''): LogLine[] {
  const told = lines.filter((line) => !isAnswer(line));
  const about = told.filter((line) => line.units.length > 0 && !isRoll(line));
  const rolls = told.filter((line) => isRoll(line));
  const own = me !== '' && told.every((line) => line.side === me || line.side === '');
  if (own && rolls.length && about.length > 1) return about.slice(1).slice(1 - MOST);
  const main = about.length > 1 ? about : told.filter((line) => line.units.length > 0 || isRoll(line));
  const all = main.length ? main : told;
  return all.length <= MOST ? all : [all[0]!, ...all.slice(1 - MOST)];
}

/** Whether somebody else did this, or dice had a word in it: what one did oneself needs no telling. */
export function isNews(lines: readonly LogLine[], me: string): boolean {
  return lines.some((line) => isRoll(line) || (line.side !== '' && line.side !== me));
}

/** How many paces a step stays: one for a line, longer for more, so that all can be read. */
export function paces(lines: readonly LogLine[]): number {
  const more = Math.max(0, newsOf(lines).length - 1);
  return Math.min(LONGEST, 1 + LONGER * more);
}

/**
 * From where to where was shot: a line that names units of its own side and of another tells of an attack.
 * `units` are those that are or were on the map; the first with an id counts.
 */
export function shotsOf(lines: readonly LogLine[], units: readonly UnitView[], name: string): Shot[] {
  const known = new Map<string, UnitView>();
  for (const unit of units) if (!known.has(unit.id)) known.set(unit.id, unit);
  const shots = new Map<string, Shot>();
  for (const line of lines.slice(-SHOTS)) {
    const named = line.units.flatMap((id) => known.get(id) ?? []).filter((unit) => unit.place);
    const own = named.filter((unit) => unit.side === line.side);
    const others = named.filter((unit) => unit.side !== line.side);
    for (const from of own) {
      for (const to of others) {
        if (from.place === to.place) continue;
        const way = `${from.place} ${to.place}`;
        shots.set(way, { from: from.place, to: to.place, name: `${name} ${way}` });
      }
    }
  }
  return [...shots.values()];
}
