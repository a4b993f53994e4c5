/** The replay: a moment of the past is shown instead of the present, or one after the other. */
import { RequestCache } from './request-cache';
import type { BattleStore } from './battle-store.svelte';
import type { Update } from './types';

export class Replay {
  private readonly table: BattleStore;
  on = $state(false);
  /** The number of the frame that is shown. */
  number = $state(0);
  playing = $state(false);
  /** Whether both sides' secrets are shown, in a battle that is over. */
  reveal = $state(false);
  /** How long a moment stays while it plays, in milliseconds. */
  speed = $state(800);
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly frames = new RequestCache<Update>(80);

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** Show a moment of the past; the number is a frame's. */
  async show(number: number): Promise<void> {
    const { table } = this;
    const first = table.frames[0];
    const last = table.frames.at(-1);
    if (!first || !last || table.curtain) return;
    const wanted = Math.min(Math.max(number, first.number), last.number);
    const ticket = ++this.asked;
    this.on = true;
    this.number = wanted;
    try {
      const update = await this.frame(wanted, this.reveal && table.over);
      if (ticket !== this.asked || !this.on) return;
      const frame = table.frames.find((each) => each.number === wanted);
      const log = table.history.slice(0, frame?.log ?? table.history.length);
      table.lay({ ...update.view, ask: null }, log, log.slice(table.log.length));
    } catch (error) {
      if (ticket === this.asked) table.complain(error);
    }
  }

  private frame(number: number, reveal: boolean): Promise<Update> {
    const { me, history, seat } = this.table;
    return this.frames.get(`${me} ${history.length} ${number} ${reveal}`, () => seat.frame(number, reveal));
  }

  /** Show both sides' secrets in the replay of a battle that is over. */
  async setReveal(reveal: boolean): Promise<void> {
    this.reveal = reveal;
    if (this.on) await this.show(this.number);
  }

  /** Play from here, or from the beginning when it stands at the end. */
  async play(): Promise<void> {
    const { frames } = this.table;
    const last = frames.at(-1);
    const first = frames[0];
    if (!last || !first) return;
    const atEnd = !this.on || this.number >= last.number;
    this.playing = true;
    await this.show(atEnd ? first.number : this.number);
    this.tick();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private tick(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    const { frames } = this.table;
    const last = frames.at(-1);
    if (!last || this.number >= last.number) {
      this.playing = false;
      return;
    }
    const next = frames.find((frame) => frame.number > this.number);
    this.timer = setTimeout(async () => {
      if (!this.playing || !next) return;
      await this.show(next.number);
      this.tick();
    }, this.speed);
  }

  /** Nobody looks back any more; what is still on its way comes too late. */
  stop(): void {
    this.pause();
    this.asked += 1;
    this.on = false;
  }

  /** Somebody else sits at the table: what was fetched was seen with other eyes. */
  forget(): void {
    this.frames.forget();
  }
}
