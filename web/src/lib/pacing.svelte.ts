/** Pacing: steps of others are shown one by one, each as long as it takes to see what happened in it. */
import type { Step } from './seat';
import { paces } from './news';
import type { BattleStore } from './battle-store.svelte';
import type { Update } from './types';
import { tellsResult } from './verdicts';

/** The longest that steps which nobody looked at are shown one by one; beyond it the table jumps to the latest. */
const QUEUE_MAX = 60;

export interface PacingOptions {
  /** How long a step of somebody else stays, in milliseconds; read each time. */
  pace?(): number;
  /** How long what came of a throw stays to be read, in milliseconds, Infinity until `readOn`; read each time. */
  holds?(): number;
  now?(): number;
}

export class Pacing {
  private readonly table: Pick<BattleStore, 'log' | 'fresh' | 'replay'>;
  private readonly show: (step: Step) => void;
  private readonly options: PacingOptions;
  /** How many steps wait to be shown. */
  waiting = $state(0);
  private queue: Step[] = [];
  private shownAt = -Infinity;
  /** Whether what still comes is shown at once, until somebody here is asked. */
  private skipping = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(table: Pick<BattleStore, 'log' | 'fresh' | 'replay'>, show: (step: Step) => void, options: PacingOptions) {
    this.table = table;
    this.show = show;
    this.options = options;
  }

  /** Whether a step is shown when it comes. */
  get atOnce(): boolean {
    return this.skipping || this.pace === 0;
  }

  private get pace(): number {
    return this.options.pace?.() ?? 0;
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  /** A step has come, to be shown in its turn; `grew` says whether something was seen to happen in it. */
  add(step: Step, grew: boolean): void {
    const last = this.queue.at(-1);
    // A step in which nothing was seen to happen takes no time of its own.
    if (!grew && last && last.log.length === step.log.length) this.queue[this.queue.length - 1] = step;
    else this.queue.push(step);
    if (this.queue.length > QUEUE_MAX) {
      this.jump(step);
      return;
    }
    this.waiting = this.queue.length;
    this.pump();
  }

  /** Show the next step that waits when the last has been seen long enough. */
  private pump(): void {
    clearTimeout(this.timer);
    const next = this.queue[0];
    const { log, fresh, replay } = this.table;
    if (!next || replay.on) return;
    const grew = next.log.length !== log.length;
    const stays = Math.max(this.pace * paces(fresh, next.log.slice(log.length)), tellsResult(fresh) ? (this.options.holds?.() ?? 0) : 0);
    const wait = grew ? this.shownAt + stays - this.now() : 0;
    if (wait === Infinity) return;
    if (wait > 0) {
      this.timer = setTimeout(() => this.pump(), wait);
      return;
    }
    this.queue.shift();
    this.waiting = this.queue.length;
    this.show(next);
    this.pump();
  }

  /** Show a step at once; those before it are not shown any more. */
  jump(step: Step): void {
    this.clear();
    this.show(step);
  }

  /** Show all steps that wait at once; `on` says that those which still come are not waited for either. */
  skip(on: boolean): void {
    this.skipping = on;
    const last = this.queue.at(-1);
    if (last) this.jump(last);
  }

  /** What is shown has been read: the next step need not wait any longer. */
  readOn(): void {
    this.shownAt = -Infinity;
    this.pump();
  }

  /** A step is on the table: from now on it is looked at. */
  shown(update: Update): void {
    if (this.table.fresh.length) this.shownAt = this.now();
    if (update.waiting !== 'other') this.skipping = false;
  }

  /** Nothing waits any more. */
  clear(): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.waiting = 0;
  }
}
