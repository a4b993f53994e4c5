/** A guided battle: which step shows now, and when it is done. The cues are the server's; the client only compares. */
import type { AskView, Cue, Lesson, LessonLine, LessonStep } from './types';

/** What a cue is compared with: `answered` and `events` are what came since the step began, or ever, for its coming. */
export interface Moment {
  ask: AskView | null;
  selected: string | null;
  answered: readonly string[];
  events: readonly string[];
  over: boolean;
  read: boolean;
  /** The learner's side, all units that it sees, and the markers on the board. */
  side: string;
  units: Seen;
  markers: Marked;
}

export type Seen = readonly { id: string; side: string; place: string; states: readonly string[] }[];
export type Marked = readonly { kind: string; place: string; side: string }[];

/** Whether something is among what can be answered: a verb, a key such as "rally a2", or how a label begins. */
function isOffered(what: string, { ask, selected }: Moment, byUnit: boolean): boolean {
  return (ask?.options ?? []).some(
    ({ key, label, unit, verb }) => (verb === what || key === what || label.startsWith(what)) && (!byUnit || unit === selected),
  );
}

/** Whether a unit is on the board, "a2", and in one of the states that are named, "a2 shaken/broken". */
function isHere(what: string, units: Seen): boolean {
  const [id, states] = what.split(' ');
  const unit = units.find((each) => each.id === id && each.place !== '');
  return unit !== undefined && (!states || states.split('/').some((state) => unit.states.includes(state)));
}

/** Whose a place is that is fought for; empty where it is nobody's. */
function ownerOf(place: string, markers: Marked): string {
  return markers.find((marker) => marker.kind === 'objective' && marker.place === place)?.side ?? '';
}

/** Whether every condition of a cue holds. */
export function holds(cue: Cue, now: Moment): boolean {
  const { ask } = now;
  // What any selected unit can do is what this one can do.
  if (cue.offered && !isOffered(cue.offered, now, cue.selected === '*')) return false;
  if (cue.asked && !ask?.prompt.toLowerCase().includes(cue.asked.toLowerCase())) return false;
  if (cue.reaction && ask?.reaction !== cue.reaction) return false;
  if (cue.selected && !(cue.selected === '*' ? now.selected !== null : now.selected === cue.selected)) return false;
  if (cue.answered && !now.answered.includes(cue.answered)) return false;
  if (cue.event && !now.events.includes(cue.event)) return false;
  if (cue.over && !now.over) return false;
  if (cue.read && !now.read) return false;
  if (!cue.here.every((what) => isHere(what, now.units))) return false;
  if (cue.mine && !now.units.some((unit) => unit.place === cue.mine && unit.side === now.side)) return false;
  if (cue.empty && now.units.some((unit) => unit.place === cue.empty && unit.side !== now.side)) return false;
  if (cue.held && ownerOf(cue.held, now.markers) !== now.side) return false;
  if (cue.wanted && ownerOf(cue.wanted, now.markers) === now.side) return false;
  return true;
}

/**
 * The step to show: the one that shows already, unless its moment has passed and another's has come; else the first
 * that is not done and whose moment has come. Null when there is none now.
 */
export function stepNow(
  steps: readonly LessonStep[],
  done: ReadonlySet<string>,
  shown: string | null,
  now: Moment,
): string | null {
  // When the battle is over, only what is said of its end still has a meaning; and whoever is asked whether to react
  // wants to read about that, and of what happened before it later.
  const timely = (when: Cue): boolean => (!now.over || when.over) && (!now.ask?.reaction || isUrgent(when));
  const open = steps.filter((step) => !done.has(step.id) && timely(step.when));
  const current = open.find((step) => step.id === shown);
  const first = open.find((step) => step !== current && holds(step.when, now));
  if (!current) return first?.id ?? null;
  if (holds(current.when, now)) return current.id;
  // Only what is asked now is urgent; while the other side thinks, a step stays.
  const urgent = open.find((step) => step !== current && isUrgent(step.when) && holds(step.when, now));
  if (urgent) return urgent.id;
  // A step that speaks of what cannot be done now, or is not there, would mislead: it comes again with its moment.
  const { here, mine, empty, held, wanted } = current.when;
  if (!holds({ ...PLAIN, here, mine, empty, held, wanted }, now)) return first?.id ?? null;
  return now.ask && isUrgent(current.when) ? (first?.id ?? null) : current.id;
}

/** A cue without any condition. */
const PLAIN: Cue = { offered: '', asked: '', reaction: '', selected: '', answered: '', event: '', over: false, read: false, here: [], mine: '', empty: '', held: '', wanted: '' };

function isUrgent(cue: Cue): boolean {
  return Boolean(cue.offered || cue.asked || cue.reaction || cue.over);
}

interface Kept {
  done: string[];
  skipped: boolean;
}

/** The progress through a lesson, remembered per battle. */
export class Guide {
  readonly lesson: Lesson;
  private readonly slot: string;
  private done = $state<string[]>([]);
  /** The step that shows; null between two steps. */
  shown = $state<string | null>(null);
  /** A step that is done and looked at again. */
  looking = $state<string | null>(null);
  skipped = $state(false);
  /** All verbs that were answered, and how many when the step began; likewise `since` of the lines of the log. */
  private answered: string[] = [];
  private heard = 0;
  private since = 0;
  private held: string | null = null;
  private pressed = false;
  /** The question at which the step began, and the steps that the learner did not follow: they come after the others. */
  private begun = -1;
  private putOff: string[] = [];
  /** What the board and the question were like at the last look. */
  private last: Moment | null = $state.raw(null);
  /** What is said while no step shows: there is a line for whatever may come. */
  line: LessonLine | null = $state.raw(null);

  constructor(lesson: Lesson, battle: string) {
    this.lesson = lesson;
    this.slot = `grognard.lesson.${battle}`;
    const kept = recall(this.slot);
    this.done = kept.done.filter((id) => lesson.steps.some((step) => step.id === id));
    this.skipped = kept.skipped;
  }

  get step(): LessonStep | null {
    const id = this.looking ?? this.shown;
    return this.lesson.steps.find((step) => step.id === id) ?? null;
  }

  /** How far one is, for people: the steps that are done and how many there are. */
  get count(): { done: number; all: number } {
    return { done: this.done.length, all: this.lesson.steps.length };
  }

  /** What the card says now: a step, or a line in between. */
  get point(): readonly string[] {
    const { last } = this;
    const says = this.step ?? this.line;
    if (!says || !last) return says?.point ?? [];
    const { offered } = says.when;
    const mine = new Set(last.units.filter((unit) => unit.side === last.side).map((unit) => unit.id));
    const can = new Set(last.ask?.options.filter((option) => option.verb === offered || option.key === offered).map((option) => option.unit));
    // Of one's own units only those that can do what is spoken of.
    return says.point.filter((point) => !offered || !mine.has(point) || can.has(point));
  }

  /** Whether nothing more will come. */
  get ended(): boolean {
    return this.finished || Boolean(this.last?.over);
  }

  get finished(): boolean {
    return this.done.length >= this.lesson.steps.length;
  }

  /** Whether the step that shows waits for Next. */
  get waitsForRead(): boolean {
    return this.looking !== null || Boolean(this.step?.done.read);
  }

  get canGoBack(): boolean {
    const at = this.looking ?? this.shown;
    return this.done.length > 0 && this.done.indexOf(at ?? '') !== 0;
  }

  /** Remember what the learner answered. */
  note(verb: string): void {
    this.answered.push(verb);
  }

  /** Look at the table: `kinds` are the kinds of all lines of the log. */
  look(ask: AskView | null, selected: string | null, kinds: readonly string[], over: boolean, units: Seen = [], side = '', markers: Marked = []): void {
    if (this.skipped) return;
    const now: Moment = { ask, selected, answered: this.answered, events: kinds, over, read: false, side, units, markers };
    this.walk(now);
    this.last = now;
    this.line = this.shown === null ? (this.lesson.lines.find((line) => holds(line.when, now)) ?? null) : null;
  }

  private walk(now: Moment): void {
    if (this.finished) return;
    // An undo takes lines of the log back.
    if (this.since > now.events.length) this.since = now.events.length;
    if (now.selected !== this.held) this.held = null;
    for (let guard = 0; guard <= 3 * this.lesson.steps.length; guard += 1) {
      const step = this.lesson.steps.find((each) => each.id === this.shown);
      // What was done is done, though the answer may have brought the moment of another step.
      if (step && holds(step.done, this.sinceBegun(now))) {
        this.done = [...this.done, step.id];
        this.shown = null;
        this.keep();
        continue;
      }
      if (step && this.didOtherwise(step, now)) {
        this.putOff = [...this.putOff.filter((id) => id !== step.id), step.id];
        this.shown = null;
      }
      const next = stepNow(this.inOrder(), new Set(this.done), this.shown, now);
      if (next === this.shown) return;
      this.shown = next;
      this.begin(now);
    }
  }

  /** Whether the learner has answered something else, and could still do what the step says. */
  private didOtherwise(step: LessonStep, now: Moment): boolean {
    return !step.done.read && now.ask !== null && now.ask.seq !== this.begun && now.answered.length > this.heard && holds(step.when, now);
  }

  /** The steps as they come: what the learner did not follow comes after the rest, the oldest first. */
  private inOrder(): LessonStep[] {
    const put = this.putOff.flatMap((id) => this.lesson.steps.filter((step) => step.id === id));
    return [...this.lesson.steps.filter((step) => !put.includes(step)), ...put];
  }

  /** What came since the step began; a unit that was selected before does not count as selected. */
  private sinceBegun(now: Moment): Moment {
    return {
      ...now,
      selected: now.selected === this.held ? null : now.selected,
      answered: now.answered.slice(this.heard),
      events: now.events.slice(this.since),
      read: this.pressed,
    };
  }

  private begin({ ask, events, selected }: Moment): void {
    this.begun = ask?.seq ?? -1;
    this.heard = this.answered.length;
    this.since = events.length;
    this.held = selected;
    this.pressed = false;
  }

  /** The learner pressed Next. */
  next(): void {
    if (this.looking !== null) {
      const at = this.done.indexOf(this.looking);
      this.looking = this.done[at + 1] ?? null;
      return;
    }
    this.pressed = true;
  }

  back(): void {
    const at = this.looking !== null ? this.done.indexOf(this.looking) : this.done.length;
    this.looking = this.done[at - 1] ?? this.looking;
  }

  skip(): void {
    this.skipped = true;
    this.looking = null;
    this.keep();
  }

  resume(): void {
    this.skipped = false;
    this.keep();
  }

  private keep(): void {
    try {
      localStorage.setItem(this.slot, JSON.stringify({ done: this.done, skipped: this.skipped }));
    } catch {
      // Without storage the lesson starts again after a reload, and that is all.
    }
  }
}

function recall(slot: string): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(slot) ?? '{}');
    if (typeof kept === 'object' && kept !== null) {
      const { done, skipped } = kept as Partial<Kept>;
      return { done: Array.isArray(done) ? done.filter((id) => typeof id === 'string') : [], skipped: skipped === true };
    }
  } catch {
    // What cannot be read is as good as nothing.
  }
  return { done: [], skipped: false };
}
