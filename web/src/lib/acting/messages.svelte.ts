/** What the one who acts is told in words: why something cannot be done, what became of a plan, what is under the cursor. */
import type { BattleStore } from '../battle-store.svelte';
import type { BarView } from '../types';

/** A "why not?" and its answer. */
export interface Why {
  unit: string;
  thing: string;
  bars: BarView[] | null;
  problem: string;
}

/** How long a word about a plan stands, in milliseconds. */
const NOTICED = 7000;

export class Messages {
  private readonly table: Pick<BattleStore, 'seat'>;
  why = $state.raw<Why | null>(null);
  /** What a screen reader is told. */
  said = $state('');
  /** A word about what just happened to a plan; it goes by itself. */
  notice = $state('');
  private noticeEnds: ReturnType<typeof setTimeout> | undefined;

  constructor(table: Pick<BattleStore, 'seat'>) {
    this.table = table;
  }

  stop(): void {
    clearTimeout(this.noticeEnds);
  }

  /** Say a word about what just happened, for a while. */
  tellOf(what: string): void {
    this.notice = what;
    clearTimeout(this.noticeEnds);
    this.noticeEnds = setTimeout(() => (this.notice = ''), NOTICED);
  }

  /** Ask why a unit cannot act, or cannot act on a thing. */
  async askWhy(unit: string, thing: string): Promise<void> {
    this.why = { unit, thing, bars: null, problem: '' };
    const asked = this.why;
    try {
      const bars = await this.table.seat.whyNot([unit, thing].filter(Boolean).join(' '));
      if (this.why === asked) this.why = { ...asked, bars };
      this.said = bars.length ? bars.map((bar) => bar.reason).join('; ') : 'You can do this.';
    } catch (error) {
      if (this.why === asked) this.why = { ...asked, bars: [], problem: error instanceof Error ? error.message : String(error) };
    }
  }
}
