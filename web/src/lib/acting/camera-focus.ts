/** Where on the map one looks while acting: what matters is brought into sight, and kept there. */
import type { Situation } from './situation';
import type { Acting } from './acting.svelte';

/** How long it takes until a new panel has its size, in milliseconds. */
const LAID_OUT = 60;

export class CameraFocus {
  private readonly acting: Acting;
  /** How much of the map's lower edge is covered, in pixels. */
  covered = 0;
  private toShow: ReturnType<typeof setTimeout> | undefined;

  constructor(acting: Acting) {
    this.acting = acting;
  }

  stop(): void {
    clearTimeout(this.toShow);
  }

  /** Bring places into sight. */
  show(...places: string[]): void {
    this.acting.page.reveal?.(places, this.covered);
  }

  /** Bring into sight where a reaction takes place, when everything has been laid out that covers the map. */
  toStage(situation: Situation): void {
    const places = this.stage(situation);
    clearTimeout(this.toShow);
    this.toShow = setTimeout(() => this.show(...places), LAID_OUT);
  }

  /** What covers the map has grown: where the reaction takes place stays in sight. */
  restage(): void {
    const { situation } = this.acting;
    if (situation?.ask.reaction) this.toStage(situation);
  }

  /** Where a reaction takes place: at its target, or at whom it befalls, and where what led to it was done. */
  private stage({ ask }: Situation): string[] {
    const { homes, table } = this.acting;
    const target = ask.options.find((option) => option.target)?.target;
    const own = ask.options.find((option) => option.unit)?.unit;
    const main = (target && homes.get(target)?.place) || ask.options.find((option) => option.place)?.place || (own && homes.get(own)?.place);
    const cause = table.log.findLast((line) => line.units.length > 0);
    const others = cause?.units.map((id) => homes.get(id)?.place ?? '') ?? [];
    return [...new Set([main ?? '', ...others])].filter(Boolean);
  }
}
