/** A guided battle: which step shows now, and when it is done. The cues are the server's; the client only compares. */
import type { AskView, Cue, Lesson, LessonStep } from './types';

/** What a cue is compared with: `answered` and `events` are what came since the step began, or ever, for its coming. */
export interface Moment {
  ask: AskView | null;
  selected: string | null;
  answered: readonly string[];
  events: readonly string[];
  over: boolean;
  read: boolean;
}

/** Whether every condition of a cue holds. */
export function holds(cue: Cue, now: Moment): boolean {
  const { ask } = now;
  if (cue.offered && !ask?.options.some((option) => option.verb === cue.offered)) return false;
  if (cue.asked && !ask?.prompt.toLowerCase().includes(cue.asked.toLowerCase())) return false;
  if (cue.reaction && ask?.reaction !== cue.reaction) return false;
  if (cue.selected && !(cue.selected === '*' ? now.selected !== null : now.selected === cue.selected)) return false;
  if (cue.answered && !now.answered.includes(cue.answered)) return false;
  if (cue.event && !now.events.includes(cue.event)) return false;
  if (cue.over && !now.over) return false;
  if (cue.read && !now.read) return false;
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
  const open = steps.filter((step) => !done.has(step.id));
  const current = open.find((step) => step.id === shown);
  const first = open.find((step) => step !== current && holds(step.when, now));
  if (!current) return first?.id ?? null;
  if (holds(current.when, now)) return current.id;
  // Only what is asked now is urgent; while the other side thinks, a step stays.
  const urgent = open.find((step) => step !== current && isUrgent(step.when) && holds(step.when, now));
  if (urgent) return urgent.id;
  // A step that speaks of what cannot be done now would mislead: it comes again with its moment.
  return now.ask && isUrgent(current.when) ? (first?.id ?? null) : current.id;
}

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
  look(ask: AskView | null, selected: string | null, kinds: readonly string[], over: boolean): void {
    if (this.skipped || this.finished) return;
    // An undo takes lines of the log back.
    if (this.since > kinds.length) this.since = kinds.length;
    if (selected !== this.held) this.held = null;
    for (let guard = 0; guard <= 2 * this.lesson.steps.length; guard += 1) {
      const now: Moment = { ask, selected, answered: this.answered, events: kinds, over, read: false };
      const step = this.lesson.steps.find((each) => each.id === this.shown);
      // What was done is done, though the answer may have brought the moment of another step.
      if (step && holds(step.done, this.sinceBegun(now))) {
        this.done = [...this.done, step.id];
        this.shown = null;
        this.keep();
        continue;
      }
      const next = stepNow(this.lesson.steps, new Set(this.done), this.shown, now);
      if (next === this.shown) return;
      this.shown = next;
      this.begin(now);
    }
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

  private begin({ events, selected }: Moment): void {
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
