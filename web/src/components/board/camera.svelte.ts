/** The eye over the map: where it looks, how near, and how it gets there. Places are points of the sheet, in its pixels. */
import { select } from 'd3-selection';
import { zoom, zoomIdentity, zoomTransform, type D3ZoomEvent, type ZoomTransform } from 'd3-zoom';
import type { Point } from '../../lib/hex';
import { inchOf } from '../../lib/lengths';
import type { BoardView } from '../../lib/types';
import { CORNER, detailAt, fitIn, openingOn, viewOf, zoomRange, type Detail, type Size } from './camera';
import type { Box } from './land';

/** How long the map rests before it is drawn sharp. */
const REST = 200;
/** How much beside the sheet can be seen, as a part of it. */
const RIM = 0.15;
/** A unit of a table shows as much as a counter would where a hex is so many measures wide. */
const TABLE = 3;
/** So much room a unit of a table is given where much of the map is covered, in measures: its plate hangs below it, news lie above. */
const STAGE = 5;
/** How long a flight over the map takes, in milliseconds. */
const FLIGHT = 260;

/** What the eye needs to know of the board. */
export interface Ground {
  board: BoardView;
  /** Nobody wants to see the map fly. */
  still: boolean;
}

export class Camera {
  /** How large a pixel of the sheet is on the screen, when the map rests. */
  scale = $state(1);
  /** The part of the sheet that is seen. */
  seen = $state.raw<Box | undefined>(undefined);
  detail = $state<Detail>('middle');
  private host!: HTMLElement;
  private world!: HTMLElement;
  private readonly ground: () => Ground;
  private readonly rests: () => void;
  private readonly sharpens: (seen: Box, k: number) => void;
  private readonly behaviour = zoom<HTMLElement, unknown>().clickDistance(5);
  private resting: ReturnType<typeof setTimeout> | undefined;
  private sharpening: ReturnType<typeof setTimeout> | undefined;
  private frame = 0;
  /** Where a flight over the map leads, while there is one. */
  private goal: ZoomTransform | null = null;
  /** Where the map was before it was moved out from under something, and where it went. */
  /** Where the map is when all of it is shown. */
  private fitted: ZoomTransform | null = null;
  private lifted: { from: ZoomTransform; to: ZoomTransform } | null = null;

  /** ``rests`` is told when the map has come to rest, ``sharpens`` a little later: a large map takes its time. */
  constructor(ground: () => Ground, rests: () => void, sharpens: (seen: Box, k: number) => void) {
    this.ground = ground;
    this.rests = rests;
    this.sharpens = sharpens;
  }

  /** Take the pointer's moves over the window; what `isHandled` says yes to is not for the map. */
  mount(host: HTMLElement, world: HTMLElement, isHandled: (event: Event) => boolean): void {
    this.host = host;
    this.world = world;
    this.behaviour
      .filter((event: Event) => {
        if (event.target instanceof Element && event.target.closest('.gb-controls, .gb-minimap')) return false;
        if (isHandled(event)) return false;
        return event.type === 'wheel' || (!(event as MouseEvent).ctrlKey && !(event as MouseEvent).button);
      })
      .on('start', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        // Who takes hold of the map in its flight has it.
        if (event.sourceEvent) this.land();
      })
      .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => this.moved(event.transform));
    select(host).call(this.behaviour).on('dblclick.zoom', null);
  }

  stop(): void {
    this.land();
    clearTimeout(this.resting);
    clearTimeout(this.sharpening);
  }

  private get now(): ZoomTransform {
    return zoomTransform(this.host);
  }

  /** Where the map is, or will be when its flight ends: what is reckoned from the middle of a flight leads astray. */
  private get settled(): ZoomTransform {
    return this.goal ?? this.now;
  }

  get size(): Size {
    return { width: this.host.clientWidth || 800, height: this.host.clientHeight || 600 };
  }

  private moved({ x, y, k }: ZoomTransform): void {
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    this.host.classList.add('moving');
    const { board } = this.ground();
    const detail = detailAt(k * board.step * (board.table ? TABLE : 1));
    if (detail !== this.detail) this.detail = detail;
    clearTimeout(this.resting);
    clearTimeout(this.sharpening);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  /** The map has come to rest: texts and land are drawn sharp for where it is. */
  rest(): void {
    this.host.classList.remove('moving');
    const { x, y, k } = this.now;
    this.scale = k;
    const { width, height } = this.size;
    const seen = (this.seen = { left: -x / k, top: -y / k, width: width / k, height: height / k });
    // A large map takes a tenth of a second: not between two strokes of one hand.
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => this.sharpens(seen, k * (globalThis.devicePixelRatio || 1)), REST);
    this.rests();
  }

  /** How far one can zoom and move, for the window and the sheet as they are. */
  limit(): void {
    const { width, height } = this.size;
    const { board } = this.ground();
    const rim = [board.width * RIM, board.height * RIM] as const;
    this.behaviour
      .scaleExtent(zoomRange(width, height, board.width, board.height, board.step * (board.table ? 2.2 : 1)))
      .extent([
        [0, 0],
        [width, height],
      ])
      .translateExtent([
        [-rim[0], -rim[1]],
        [board.width + rim[0], board.height + rim[1]],
      ]);
  }

  /** End a flight where it is. */
  private land(): void {
    cancelAnimationFrame(this.frame);
    this.goal = null;
  }

  /** Moves the map, gently unless somebody wants it still. */
  private go(wanted: ZoomTransform, gently = true, beyond = false): void {
    this.land();
    const { width, height } = this.size;
    const box: [[number, number], [number, number]] = [
      [0, 0],
      [width, height],
    ];
    const to = beyond ? wanted : this.behaviour.constrain()(wanted, box, this.behaviour.translateExtent());
    const lessMotion = this.ground().still || (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? true);
    const host = select(this.host);
    if (!gently || lessMotion) {
      host.call(this.behaviour.transform, to);
      return;
    }
    const from = this.now;
    const begun = performance.now();
    this.goal = to;
    const frame = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - begun) / FLIGHT));
      const ease = 1 - (1 - part) ** 3;
      const k = from.k * (to.k / from.k) ** ease;
      const between = zoomIdentity.translate(from.x + (to.x - from.x) * ease, from.y + (to.y - from.y) * ease).scale(k);
      if (part >= 1) this.goal = null;
      host.call(this.behaviour.transform, part < 1 ? between : to);
      if (part < 1) this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  /** Shows all of the map. */
  toFit(gently = true): void {
    const { width, height } = this.size;
    const { board } = this.ground();
    const { k, x, y } = fitIn(width, height, board.width, board.height, CORNER);
    this.go(zoomIdentity.translate(x, y).scale(k), gently);
    this.fitted = this.settled;
  }

  /** A board too large to be read as a whole is first looked at where these points are. */
  open(points: readonly Point[]): void {
    const { board } = this.ground();
    const to = openingOn(points, this.settled, this.size, board.step * (board.table ? TABLE * inchOf(board.measure) : 1));
    if (to) this.go(zoomIdentity.translate(to.x, to.y).scale(to.k), false);
  }

  /** The window has another size: a map that was shown whole is shown whole again, any other stays where it is. */
  resized(): void {
    const whole = this.fitted !== null && isAt(this.fitted, this.settled);
    this.limit();
    if (whole) this.toFit(false);
    else this.rest();
  }

  /** Brings a point to the middle of the window. */
  centre(point: Point): void {
    const { width, height } = this.size;
    const { k } = this.settled;
    this.go(zoomIdentity.translate(width / 2 - point.x * k, height / 2 - point.y * k).scale(k));
  }

  /**
   * Brings points into sight, without moving the map if they are; `below` says how much of its lower edge is covered.
   * What is moved out from under something comes back when that is gone.
   */
  reveal(points: readonly Point[], below = 0): void {
    const { board } = this.ground();
    const was = this.settled;
    const to = viewOf(points, was, this.size, board.step * (board.table ? (below ? STAGE : TABLE) : 1), below, this.behaviour.scaleExtent()[0]);
    if (!to) return;
    const goal = zoomIdentity.translate(to.x, to.y).scale(to.k);
    if (below) this.lifted = { from: this.lifted && isAt(this.lifted.to, was) ? this.lifted.from : was, to: goal };
    this.go(goal, true, below > 0);
  }

  /** Nothing covers the map any more: it goes back, unless somebody has moved it since. */
  settle(): void {
    const { lifted } = this;
    this.lifted = null;
    if (lifted && isAt(lifted.to, this.settled)) this.go(lifted.from);
  }

  /** Brings a part of the sheet near, where it would be too small to be touched; `below` is covered. */
  near({ left, top, width: wide, height: high }: Box, below = 0): void {
    const { width, height } = this.size;
    const { k } = this.settled;
    const [, most] = this.behaviour.scaleExtent();
    const to = Math.min(most, (width * 0.9) / wide, ((height - below) * 0.9) / high);
    if (!(to >= k * 1.25)) return;
    const middle = { x: left + wide / 2, y: top + high / 2 };
    this.go(zoomIdentity.translate(width / 2 - middle.x * to, (height - below) / 2 - middle.y * to).scale(to));
  }

  /** Where a point is, in pixels of the window. */
  anchor(point: Point): Point {
    const { x, y, k } = this.now;
    return { x: point.x * k + x, y: point.y * k + y };
  }

  /** The point of the sheet under a pointer. */
  pointAt(event: MouseEvent): Point {
    const box = this.host.getBoundingClientRect();
    const [x, y] = this.now.invert([event.clientX - box.left, event.clientY - box.top]);
    return { x, y };
  }

  /** Zooms by a factor around the middle of the window. */
  zoomBy(factor: number): void {
    const { width, height } = this.size;
    const { x, y, k } = this.settled;
    const [least, most] = this.behaviour.scaleExtent();
    const to = Math.min(most, Math.max(least, k * factor));
    const grown = to / k;
    this.go(zoomIdentity.translate(width / 2 - (width / 2 - x) * grown, height / 2 - (height / 2 - y) * grown).scale(to));
  }

  /** Moves the map by pixels of the window. */
  pan(dx: number, dy: number): void {
    const { k } = this.now;
    select(this.host).call(this.behaviour.translateBy, dx / k, dy / k);
  }
}

/** Whether two looks at the map are the same, but for what rounding does. */
function isAt(a: ZoomTransform, b: ZoomTransform): boolean {
  return Math.abs(a.k / b.k - 1) < 1e-3 && Math.abs(a.x - b.x) < 2 && Math.abs(a.y - b.y) < 2;
}
