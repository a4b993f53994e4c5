/** What just happened, chosen from the lines of a step: a few lines to read, and shots to see. */
import type { Shot } from './layers';
import { isAnswer, isRoll } from './log';
import type { LogLine, UnitView } from './types';

/** How many lines of a step are shown over the map. */
const MOST = 3;
/** How much longer a step stays for each further line, and the longest that it may stay, in paces. */
const LONGER = 0.4;
const LONGEST = 3;
/** And how long, in paces, what is only noted down, and a step of a longer way. */
const BRIEF = 0.4;
const WALK = 0.6;
/** Shots of so many lines are drawn: after a leap only the last. */
const SHOTS = 20;

/**
 * The lines of a step that tell most: what was done, and what came of it to somebody. What is about a unit, or else was
 * rolled for, goes before sums of points. Of what one did oneself (`me`) only what came of it is told.
 */
export function newsOf(lines: readonly LogLine[], me = ''): LogLine[] {
  const told = lines.filter((line) => !isAnswer(line));
  const about = told.filter((line) => line.units.length > 0 && !isRoll(line));
  const deed = about.find((line) => line.units.length > 1) ?? about[0];
  if (!deed || about.length < 2) {
    const main = told.filter((line) => line.units.length > 0 || isRoll(line));
    // What dice for nobody in particular came to is said in words after them.
    const said = main.some((line) => line.units.length > 0) ? [] : told.filter((line) => line.side !== '' && !isRoll(line));
    return most(said.length ? said : main.length ? main : told);
  }
  const own = me !== '' && deed.side === me && told.some(isRoll);
  const after = about.slice(about.indexOf(deed) + 1);
  const others = after.filter((line) => !line.units.includes(deed.units[0]!));
  const roll = deed.units.length > 1 ? told.slice(told.indexOf(deed) + 1).findLast(isRoll) : undefined;
  // What befell others tells most; of an attack without any, how the last dice fell; else all that was told.
  const result = others.length ? others : roll ? [roll] : after;
  return own && result.length ? result.slice(1 - MOST) : most([deed, ...result]);
}

/** How it began, and what came of it. */
function most(lines: LogLine[]): LogLine[] {
  return lines.length <= MOST ? lines : [lines[0]!, ...lines.slice(1 - MOST)];
}

/** Whether somebody else did this, or dice had a word in it: what one did oneself needs no telling. */
export function isNews(lines: readonly LogLine[], me: string): boolean {
  return lines.some((line) => isRoll(line) || (line.side !== '' && line.side !== me));
}

/** Whether a step shows what this side did itself: the first in it that did anything was one of ours. */
export function showsOwn(lines: readonly LogLine[], me: string): boolean {
  const told = lines.filter((line) => !isAnswer(line) && line.side !== '');
  return (told.find((line) => line.units.length > 0) ?? told[0])?.side === me;
}

/**
 * How many paces a step stays until `next` is shown: one for a line, longer for more, so that all can be read; less for
 * what is only noted down, and while one unit goes on its way. What nobody sees takes no time.
 */
export function paces(lines: readonly LogLine[], next: readonly LogLine[] = []): number {
  const told = lines.filter((line) => !isAnswer(line));
  if (!told.length) return 0;
  const units = new Set(told.flatMap((line) => line.units));
  const still = !told.some((line) => isRoll(line) || line.places.length > 0);
  if (still && units.size <= 1) return BRIEF;
  if (!told.some(isRoll) && !next.some(isRoll) && units.size === 1 && next.some((line) => units.has(line.units[0]!))) return WALK;
  return Math.min(LONGEST, 1 + LONGER * Math.max(0, newsOf(lines).length - 1));
}

/** Who was attacked and is gone since: it stays to be seen until the shot at it has been. */
export function fallenOf(lines: readonly LogLine[], before: readonly UnitView[], now: readonly UnitView[]): UnitView[] {
  const here = new Set(now.map((unit) => unit.id));
  const named = (line: LogLine): UnitView[] => before.filter((unit) => line.units.includes(unit.id));
  const attacks = lines.slice(-SHOTS).filter((line) => named(line).some((unit) => unit.side === line.side));
  const hit = new Set(attacks.flatMap((line) => named(line).filter((unit) => unit.side !== line.side && unit.place)));
  return [...hit].filter((unit) => !here.has(unit.id));
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
