/** What lies where on the board: counters in their stacks, troops and their riders, markers. In pixels of the sheet. */
import { Grid, type Point } from '../../lib/hex';
import { inchOf } from '../../lib/lengths';
import type { BoardView, MarkerView, View } from '../../lib/types';
import type { Camera } from './camera.svelte';
import { layMarkers } from './marks';
import type { Opened } from './opened.svelte';
import { findTroops, ridersOf } from './pieces';
import { EDGE, TABLE_EDGE, fan, findStacks, type Laid, type Stack } from './stacks';

/** A counter of an open stack is at least this large on the screen. */
const TOUCH = 46;

/** What is laid out; read when it is needed, for it changes. */
export interface Contents {
  readonly board: BoardView;
  readonly view: View;
}

export class Layout {
  private readonly shown: Contents;
  private readonly camera: Camera;
  private readonly opened: Opened;

  readonly grid = $derived.by(() => new Grid(this.shown.board));
  /** How many units of the board an inch is, and how many pixels of the sheet. */
  readonly inch = $derived.by(() => (this.shown.board.table ? inchOf(this.shown.board.measure) : 1));
  readonly sign = $derived.by(() => this.shown.board.step * this.inch);
  /** Counters and signs of a table are a few inches large, those of hexes a part of a step. */
  readonly edge = $derived.by(() => this.sign * (this.shown.board.table ? TABLE_EDGE : EDGE));
  readonly troops = $derived.by(() => findTroops(this.shown.board.table ? this.shown.view.units : [], this.inch));
  /** The plates of a table keep their size on the screen, within bounds. */
  readonly plateLetters = $derived.by(() => {
    return Math.min(this.sign * 1.1, Math.max(this.sign * 0.3, 11 / this.camera.scale));
  });
  readonly riders = $derived.by(() => {
    const { board, view } = this.shown;
    return board.table ? ridersOf(this.troops, view.units, this.plateLetters / board.step) : [];
  });
  readonly stacks = $derived.by(() => {
    const { board, view } = this.shown;
    const riding = new Set(this.riders.map(({ unit }) => unit.id));
    return findStacks(board.table ? view.units.filter((unit) => !unit.models.length && !riding.has(unit.id)) : view.units, this.grid);
  });
  /** The markers that are signs of one size. */
  readonly marks = $derived.by(() => {
    const signs = this.shown.view.markers.filter((marker) => !this.isSized(marker));
    return layMarkers(signs, new Set(this.stacks.map((stack) => stack.place)), this.grid);
  });
  /** The markers that are drawn in the measure of a table. */
  readonly sized = $derived.by(() => this.shown.view.markers.filter((marker) => this.isSized(marker)));
  /** The stacks as they lie now, the open one spread. */
  readonly laid: Laid[] = $derived.by(() =>
    this.stacks.map((stack) => (stack.place === this.opened.place && stack.spots.length > 1 ? this.spread(stack) : { stack, spots: stack.spots, tray: null })),
  );
  /** Where the middle of every unit on the board is. */
  readonly spots = $derived.by(() => {
    const { step } = this.shown.board;
    return new Map<string, Point>([
      ...this.troops.map(({ unit, middle }): [string, Point] => [unit.id, { x: middle.x * step, y: middle.y * step }]),
      ...this.riders.map(({ unit, x, y }): [string, Point] => [unit.id, { x: x * step, y: y * step }]),
      ...this.laid.flatMap(({ stack, spots }) => spots.map(({ unit, dx, dy }): [string, Point] => [unit.id, { x: stack.x + dx, y: stack.y + dy }])),
    ]);
  });
  /** The units on the board, as Page Down leads through them. */
  readonly order: string[] = $derived.by(() => {
    const { board, view } = this.shown;
    if (board.table) return view.units.map((unit) => unit.id).filter((unit) => this.spots.has(unit));
    return this.laid.flatMap(({ spots }) => spots.map((spot) => spot.unit.id));
  });

  constructor(shown: Contents, camera: Camera, opened: Opened) {
    this.shown = shown;
    this.camera = camera;
    this.opened = opened;
  }

  private spread(stack: Stack): Laid {
    const grow = Math.min(4, Math.max(1, TOUCH / (this.edge * this.camera.scale)));
    const { spots, ...tray } = fan(stack, this.grid, grow, this.camera.seen);
    return { stack, spots, tray };
  }

  private isSized(marker: MarkerView): boolean {
    return this.shown.board.table && (marker.outline.length > 0 || this.grid.point(marker.place) !== null);
  }
}
