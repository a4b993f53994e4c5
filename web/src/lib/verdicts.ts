/** What came of throws and attacks: for each unit that they were about the dice, and what befell it. Knows no rules. */
import { isAnswer, isRoll, rollParts } from './log';
import type { LogLine, UnitView } from './types';

export interface Throw {
  what: string;
  dice: string;
  faces: readonly number[];
  /** The sum, 0 where each die is read by itself. */
  total: number;
  /** What would have come to anything, in words. */
  needed: string;
  meaning: string;
}

/** What came of it for one unit. */
export interface Verdict {
  name: string;
  /** Whose unit it is, and where it is or was. */
  unit: string;
  place: string;
  /** Who did it: the side, and the units that attacked, if any. */
  by: string;
  from: string[];
  /** What was done, as the log has it. */
  deed: string;
  throws: Throw[];
  /** What befell the unit, in a few words. */
  stamp: string;
  mood: 'bad' | 'good' | 'none';
  fatal: boolean;
}

/** So many things that befell a unit fit on a stamp. */
const MOST = 2;
const NOTHING = 'No effect';

/** Whether there is anything to be read on the map in these lines. */
export function tellsResult(lines: readonly LogLine[]): boolean {
  return lines.some((line) => !isAnswer(line) && ((isRoll(line) && line.units.length > 0) || line.harm));
}

interface Attack {
  deed: string;
  side: string;
  from: string[];
  at: string[];
}

/** The attack that a line tells of: it names units of its own side and of another. */
function attackOf(line: LogLine, known: ReadonlyMap<string, UnitView>): Attack | null {
  if (isRoll(line) || line.change) return null;
  const from = line.units.filter((id) => known.get(id)?.side === line.side);
  const at = line.units.filter((id) => known.has(id) && known.get(id)!.side !== line.side);
  return from.length && at.length ? { deed: line.text, side: line.side, from, at } : null;
}

/** A verdict while its lines are read. */
interface Open extends Omit<Verdict, 'stamp' | 'mood' | 'fatal'> {
  attacked: boolean;
  changes: LogLine[];
}

/** What came of everything in some lines, unit by unit, in the order in which it was first about them. */
export function verdictsOf(lines: readonly LogLine[], units: Iterable<UnitView>, name = ''): Verdict[] {
  const known = new Map<string, UnitView>();
  for (const unit of units) if (unit.place || !known.has(unit.id)) known.set(unit.id, unit);
  const found: Open[] = [];
  const open = new Map<string, Open>();
  let attack: Attack | null = null;
  /** Whether it has come of the attack what came of it. */
  let done = false;

  function about(id: string, line: LogLine): Open | null {
    const unit = known.get(id);
    if (!unit) return null;
    const here = open.get(id);
    const by = attack?.at.includes(id) ? attack : null;
    // Another attack on the same unit is another story.
    if (here && (!by || here.deed === by.deed || !here.attacked)) {
      if (by && !here.attacked) Object.assign(here, { deed: by.deed, by: by.side, from: by.from, attacked: true });
      return here;
    }
    const deed = by?.deed ?? rollParts(line).before;
    const made: Open = {
      name: `${name} ${found.length} ${id}`,
      unit: id,
      place: unit.place,
      by: by?.side ?? line.side,
      from: by?.from ?? [],
      deed,
      throws: [],
      attacked: by !== null,
      changes: [],
    };
    found.push(made);
    open.set(id, made);
    return made;
  }

  for (const line of lines) {
    if (isAnswer(line)) continue;
    // What names no unit and is no throw, such as a point that is spent, begins another story.
    if (!isRoll(line) && !line.units.length) {
      attack = null;
      open.clear();
      continue;
    }
    const next = attackOf(line, known);
    if (next) {
      const same: boolean = attack !== null && attack.at.join() === next.at.join() && attack.from.join() === next.from.join();
      if (!same) {
        attack = next;
        done = false;
        for (const id of next.at) open.delete(id);
      }
      continue;
    }
    if (isRoll(line)) {
      const [own = ''] = line.units;
      // What the one who attacks throws is about the one who is attacked, until it has come of it what came.
      const theirs: boolean = attack !== null && !done && line.side === attack.side && (!own || attack.from.includes(own));
      const whom = theirs ? attack!.at[0]! : own;
      if (whom)
        about(whom, line)?.throws.push({
          what: rollParts(line).before.split(',')[0]!.trim(),
          dice: line.dice,
          faces: line.faces,
          total: line.total,
          needed: line.needed,
          meaning: line.meaning,
        });
    } else if (line.change && (line.harm || open.has(line.whom) || attack?.at.includes(line.whom))) {
      done ||= Boolean(attack?.at.includes(line.whom));
      about(line.whom, line)?.changes.push(line);
    }
  }
  return found.filter((each) => each.throws.length || each.changes.length).map(closed);
}

function closed({ attacked, changes, ...rest }: Open): Verdict {
  const fatal = changes.filter((line) => line.fatal);
  const harm = changes.filter((line) => line.harm);
  const told = fatal.length ? fatal.slice(-1) : harm.length ? harm.slice(-MOST) : changes.slice(-MOST);
  const last = rest.throws.at(-1);
  const stamp = told.length ? told.map(({ change }) => brief(change)).join(', ') : attacked ? NOTHING : (last?.meaning ?? '');
  const mood = harm.length ? 'bad' : told.length && !attacked ? 'good' : 'none';
  return { ...rest, stamp, mood, fatal: fatal.length > 0 };
}

/** What befell a unit, as it is stamped: "is Broken" → "Broken". */
export function brief(change: string): string {
  return change.replace(/^(is|are) /, '');
}

/** A verdict in a few words: what came of it, why, and what was done. */
export function verdictWords({ deed, stamp, throws }: Verdict): string {
  const last = throws.find((each) => each.needed) ?? throws.at(-1);
  const total = last?.total ? String(last.total) : (last?.faces.join(' ') ?? '');
  const why = last && total ? ` (${total}${last.needed ? `, needed ${last.needed}` : ''})` : '';
  return `${stamp.charAt(0).toUpperCase()}${stamp.slice(1)}${why}: ${deed}`;
}

/** The last that a side did for which dice were thrown, and what came of it. */
export function lastOf(lines: readonly LogLine[], units: Iterable<UnitView>, side: string): Verdict | null {
  return verdictsOf(lines, units).findLast((each) => each.by === side && each.throws.length > 0) ?? null;
}

/** The lines since a side answered last: what came of its answer. A side reads its own answers alone. */
export function sinceAnswer(lines: readonly LogLine[]): LogLine[] {
  const last = lines.findLastIndex(isAnswer);
  return last < 0 ? [] : lines.slice(last + 1);
}
