/** The stack that is spread out: it opens when the pointer rests on it, and closes when it has been left. */

/** How long the mouse rests before a stack opens or closes, in milliseconds. */
const OPEN = 160;
const CLOSE = 260;

export class Opened {
  /** Where the open stack is; null when all are closed. */
  place = $state<string | null>(null);
  private readonly keeps: (place: string | null) => boolean;
  private opening: ReturnType<typeof setTimeout> | undefined;
  private closing: ReturnType<typeof setTimeout> | undefined;

  /** `keeps` says that a stack is still wanted when it is about to close. */
  constructor(keeps: (place: string | null) => boolean) {
    this.keeps = keeps;
  }

  stop(): void {
    clearTimeout(this.opening);
    clearTimeout(this.closing);
  }

  /** Open at once. */
  open(place: string): void {
    this.stop();
    this.place = place;
  }

  /** Open when the pointer has rested on it. */
  openSoon(place: string): void {
    this.stop();
    this.opening = setTimeout(() => (this.place = place), OPEN);
  }

  /** Close when it has been left for good. */
  closeSoon(): void {
    this.stop();
    this.closing = setTimeout(() => {
      if (!this.keeps(this.place)) this.place = null;
    }, CLOSE);
  }
}
