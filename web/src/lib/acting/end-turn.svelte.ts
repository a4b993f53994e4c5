/** EndTurn one's turn: every go is let by until the turn is over. Reactions are still asked, for they may matter. */
import type { Acting } from './acting.svelte';
import type { Answers } from './answers';
import type { Option } from '../types';

/** How long the button waits to be pressed a second time, in milliseconds. */
const ARMED = 4000;
/** How long it waits for an answer that is still on its way. */
const SOON = 50;

export class EndTurn {
  private readonly acting: Acting;
  private readonly answers: Answers;
  /** The turn that is being ended; null when none is. */
  private turn = $state<number | null>(null);
  /** Whether the button was pressed once: the second press ends the turn. */
  armed = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(acting: Acting, answers: Answers) {
    this.acting = acting;
    this.answers = answers;
  }

  /** The answer that lets this go by; null where there is none. */
  get idle(): Option | null {
    const { situation, table } = this.acting;
    if (!situation || situation.ask.reaction || situation.ask.dice) return null;
    const verbs = new Set(table.battle.verbs.filter((verb) => verb.idle).map((verb) => verb.verb));
    return situation.bare.find((option) => verbs.has(option.verb)) ?? null;
  }

  /** Whether the turn is being ended. */
  get on(): boolean {
    return this.turn !== null && this.acting.table.view.turn === this.turn;
  }

  /** The button was pressed: once to be asked whether it is meant where somebody can still act, and then to do it. */
  press(): void {
    if (this.on) {
      this.stop();
      return;
    }
    if (!this.idle) return;
    if (!this.armed && this.acting.ready.size) {
      this.armed = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.armed = false), ARMED);
      return;
    }
    this.turn = this.acting.table.view.turn;
    this.asked();
  }

  /** A new question stands, or none. */
  asked(): void {
    this.armed = false;
    const { answers } = this;
    const { table } = this.acting;
    if (this.turn === null) return;
    if (table.view.turn !== this.turn || table.over) this.stop();
    else if (this.idle && table.busy) this.timer = setTimeout(() => this.asked(), SOON);
    else if (this.idle) void answers.take(this.idle);
    else if (table.ask && !table.ask.reaction && !table.ask.dice) this.stop();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.armed = false;
    this.turn = null;
  }
}
