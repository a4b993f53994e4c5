/** What the programs at the table thought, fetched when somebody wants to know it; and what one would do oneself. */
import type { Table } from './table.svelte';
import type { ThoughtView } from './types';

export class Mind {
  private readonly table: Table;
  /** In the order in which they were thought. */
  list: readonly ThoughtView[] = $state.raw([]);
  /** Whether they are told, and if not why. */
  open = $state(true);
  why = $state('');
  problem = $state('');
  loading = $state(false);
  /** The one that is looked at, by its number; null for the latest. */
  chosen = $state<number | null>(null);
  /** What a program would do now, and the question that it was asked about. */
  advice = $state.raw<{ seq: number; thought: ThoughtView } | null>(null);
  advising = $state(false);
  private answers = -1;
  private wanted = false;

  constructor(table: Table) {
    this.table = table;
  }

  /** The sides that a program plays. */
  get programs(): string[] {
    return this.table.update.seats.filter((seat) => seat.player !== 'human').map((seat) => seat.side);
  }

  /** The thought that is looked at. */
  get shown(): ThoughtView | null {
    const at = this.list.findIndex((thought) => thought.number === this.chosen);
    return this.list[at] ?? this.list.at(-1) ?? null;
  }

  /** The advice for the question that stands; an older one is no advice any more. */
  get counsel(): ThoughtView | null {
    return this.advice && this.advice.seq === this.table.ask?.seq ? this.advice.thought : null;
  }

  /** Fetch what has been thought since; what was taken back is forgotten. */
  async load(): Promise<void> {
    this.wanted = true;
    if (this.loading) return;
    this.loading = true;
    try {
      while (this.wanted) {
        this.wanted = false;
        const now = this.table.update.number;
        const back = now < this.answers || !this.open;
        const since = back ? 0 : (this.list.at(-1)?.number ?? -1) + 1;
        const { open, why, thoughts } = await this.table.seat.thoughts(since);
        this.answers = now;
        this.open = open;
        this.why = why;
        this.problem = '';
        this.list = since ? [...this.list, ...thoughts] : thoughts;
      }
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.loading = false;
    }
  }

  /** Look at the thought before or after the one that is shown. */
  step(by: number): void {
    const at = this.list.findIndex((thought) => thought === this.shown);
    const next = this.list[Math.min(this.list.length - 1, Math.max(0, at + by))];
    this.chosen = next && next !== this.list.at(-1) ? next.number : null;
  }

  /** Look at what was thought for a step of the log: the last thought up to the moment after it. */
  lookAt(frame: number, side: string): void {
    const found = this.list.findLast((thought) => thought.side === side && thought.frame <= frame);
    this.chosen = found?.number ?? null;
  }

  /** Ask what a program would do. */
  async ask(level: string): Promise<void> {
    const { ask } = this.table;
    if (!ask || this.advising) return;
    this.advising = true;
    try {
      this.advice = { seq: ask.seq, thought: await this.table.seat.advice(ask.seq, level) };
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.advising = false;
    }
  }
}
