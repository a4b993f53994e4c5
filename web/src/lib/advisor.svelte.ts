/** What the programs at the table thought, fetched when somebody wants to know it; and what one would do oneself. */
import type { BattleStore } from './battle-store.svelte';
import type { ThoughtView } from './types';

export class Advisor {
  private readonly table: BattleStore;
  /** In the order in which they were thought. */
  list: readonly ThoughtView[] = $state.raw([]);
  /** Whether they are told, and if not why. */
  open = $state(true);
  why = $state('');
  problem = $state('');
  loading = $state(false);
  /** The one that is looked at, by its number; null for the latest, or the one of the moment that is shown. */
  chosen = $state<number | null>(null);
  /** What a program would do now, and the question that it was asked about. */
  advice = $state.raw<{ seq: number; thought: ThoughtView } | null>(null);
  advising = $state(false);
  /** Whether it was asked for thoroughly. */
  private thorough = false;
  private answers = -1;
  private wanted = false;

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** The sides that a program plays. */
  get programs(): string[] {
    return this.table.update.seats.filter((seat) => seat.player !== 'human').map((seat) => seat.side);
  }

  /** The thought that is looked at: in a replay the one that led to the moment, else the latest. */
  get shown(): ThoughtView | null {
    const chosen = this.list.find((thought) => thought.number === this.chosen);
    const { replay } = this.table;
    return chosen ?? (replay.on ? this.before(replay.number) : this.list.at(-1)) ?? null;
  }

  /** The last thought of any side, or of one, before a moment: what it was about led there. */
  private before(frame: number, side = ''): ThoughtView | undefined {
    return this.list.findLast((thought) => (side === '' || thought.side === side) && thought.frame < frame);
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
    this.chosen = next && (this.table.replay.on || next !== this.list.at(-1)) ? next.number : null;
  }

  /** Look at what was thought for a step of the log: the last thought before the moment after it. */
  lookAt(frame: number, side: string): void {
    this.chosen = this.before(frame, side)?.number ?? null;
  }

  /** Show the map as it was when the thought that is looked at was thought. */
  showThen(): void {
    const { shown } = this;
    if (!shown) return;
    this.chosen = shown.number;
    void this.table.replay.show(shown.frame);
  }

  /** What was advised has been done: whoever follows advice is advised on, if he is asked again. */
  async askOn(): Promise<void> {
    const { ask } = this.table;
    if (ask && !ask.dice && ask.seq !== this.advice?.seq) await this.ask(this.thorough);
  }

  /** Ask what a program would do. */
  async ask(thorough = false): Promise<void> {
    const { ask } = this.table;
    if (!ask || this.advising) return;
    this.advising = true;
    try {
      this.thorough = thorough;
      this.advice = { seq: ask.seq, thought: await this.table.seat.advice(ask.seq, thorough) };
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.advising = false;
    }
  }
}
