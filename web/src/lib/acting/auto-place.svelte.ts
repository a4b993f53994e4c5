/** Laying out the rest by itself: who does not care where the last units stand leaves them to a program. */
import { anyOption, isLayingOut, picksUnits } from './situation';
import { bearingOf } from '../facing';
import type { Acting } from './acting.svelte';
import type { AskView } from '../types';

/** How long the other side may take to lay out one of its units, and how often it is looked, in milliseconds. */
const PATIENCE = 60_000;
const TICK = 100;
/** More units than this has no side. */
const MOST_UNITS = 500;

export class AutoPlace {
  private readonly acting: Acting;
  /** Whether the rest is being laid out by itself. */
  on = $state(false);
  /** Who has left the rest of a laying out to the client, and of which. */
  private readonly restFor = new Set<string>();

  constructor(acting: Acting) {
    this.acting = acting;
  }

  /** Whether the player may leave the rest to the client: also while it is asked which unit comes next. */
  get allowed(): boolean {
    const { situation, table, homes } = this.acting;
    if (!situation) return false;
    if (isLayingOut(situation)) return true;
    return table.view.turn <= 0 && picksUnits(situation) && ![...situation.actors.keys()].some((id) => homes.get(id)?.place);
  }

  private get name(): string {
    const { me, view } = this.acting.table;
    return `${me} ${view.phase} ${view.turn}`;
  }

  /** A new question stands. Two at one screen lay out by turns: who has left the rest to the client is not asked again. */
  asked(): void {
    if (!this.on && this.allowed && this.restFor.has(this.name)) setTimeout(() => void this.begin());
  }

  /** Stop placing by itself. */
  stop(): void {
    this.on = false;
    this.restFor.delete(this.name);
  }

  /** Lay out the rest by itself, until something else is asked or it is stopped. */
  async begin(): Promise<void> {
    if (this.on || !this.allowed) return;
    this.on = true;
    const { acting } = this;
    const { table } = acting;
    const { me } = table;
    this.restFor.add(this.name);
    const { phase, turn } = table.view;
    for (let guard = 0; guard < MOST_UNITS && this.on; guard += 1) {
      // Where the sides lay out by turns, the other one comes first.
      for (let waited = 0; !table.ask && waited < PATIENCE && this.on && !table.over; waited += TICK) {
        await new Promise((go) => setTimeout(go, TICK));
      }
      const { ask } = table;
      if (!ask || table.me !== me) break;
      if (ask.dice || ask.reaction || acting.situation?.pass) break;
      if (table.view.phase !== phase || table.view.turn !== turn) break;
      const key = (await this.advised(ask.seq)) || this.anywhere(ask);
      if (!this.on || !key || !(await table.answer(key))) break;
    }
    this.on = false;
  }

  /** Where a good player would put it; "" where nobody can be asked. */
  private async advised(seq: number): Promise<string> {
    try {
      return (await this.acting.table.seat.advice(seq)).chosen;
    } catch {
      return '';
    }
  }

  private anywhere(ask: AskView): string {
    const { facings } = this.acting.table.battle.board;
    return anyOption(ask, Math.random(), facings, this.bearingFrom(ask.options[0]?.place))?.key ?? '';
  }

  /** Where the enemy is from a place, or else the middle of the map. */
  private bearingFrom(place: string | undefined): number | null {
    const { battle, me, view } = this.acting.table;
    const { board } = battle;
    const from = board.hexes.find((hex) => hex.id === place);
    if (!from) return null;
    const enemies = new Set(view.units.filter((u) => u.side !== me && u.place).map((u) => u.place));
    const at = board.hexes.filter((hex) => enemies.has(hex.id));
    const middle = at.length
      ? { x: at.reduce((sum, h) => sum + h.x, 0) / at.length, y: at.reduce((sum, h) => sum + h.y, 0) / at.length }
      : { x: board.width / 2, y: board.height / 2 };
    return bearingOf(from, middle);
  }
}
