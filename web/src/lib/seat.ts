/** A side that is played at this screen: its seat at the server, and all that it has been told, always up to date. */
import { Line, type LineOptions, type SeatApi } from './api';
import type { Frame, LogLine, SeatKey, Update } from './types';

/** What the table shows at once: an update, and the log and the frames as they were when it came. */
export interface Step {
  update: Update;
  log: LogLine[];
  frames: Frame[];
}

export class Seat {
  readonly key: SeatKey;
  readonly api: SeatApi;
  line: Line | null = null;
  /** The latest that the server said. */
  latest: Update;
  log: LogLine[];
  frames: Frame[];

  constructor(key: SeatKey, api: SeatApi, first: Update) {
    this.key = key;
    this.api = api;
    this.latest = first;
    this.log = first.view.log;
    this.frames = first.frames;
  }

  /** The present, to be shown. */
  get step(): Step {
    return { update: this.latest, log: this.log, frames: this.frames };
  }

  /** Hear every step from now on, beginning with what was missed. */
  connect(options: Omit<LineOptions, 'have'>): void {
    this.line = new Line(this.api, { ...options, have: () => ({ log: this.log.length, frames: this.frames.length }) });
    this.line.start();
  }

  /** Whether an update can be laid on what is known: nothing is missing between the two. */
  fits(update: Update): boolean {
    return update.log_start <= this.log.length && update.frames_start <= this.frames.length;
  }

  take(update: Update): void {
    this.log = [...this.log.slice(0, update.log_start), ...update.view.log];
    this.frames = [...this.frames.slice(0, update.frames_start), ...update.frames];
    this.latest = update;
  }
}
