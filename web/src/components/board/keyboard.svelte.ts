/** The keyboard on the map: which counter it has reached, and where its keys lead. */
import type { Camera } from './camera.svelte';
import type { Layout } from './layout.svelte';
import type { Opened } from './opened.svelte';
import { nextInDirection } from './stacks';

const ARROWS: Record<string, 'left' | 'right' | 'up' | 'down'> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
/** How far plus and minus zoom. */
const ZOOM = 1.4;
/** Which part of the window the arrows move the map by. */
const PAN = 1 / 8;

/** What the keyboard needs to know of the board. */
export interface Keyed {
  readonly host: HTMLElement;
  readonly selected: string | null;
  /** The units that can act. */
  readonly able: ReadonlySet<string>;
  /** Whether the arrows are taken: they move the unit that is being put somewhere. */
  readonly arrowsTaken: boolean;
}

/** The counter that an event is about. */
export function pieceOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-unit]') : null;
}

export class Keyboard {
  private readonly keyed: Keyed;
  private readonly layout: Layout;
  private readonly camera: Camera;
  private readonly opened: Opened;
  /** The counter that Tab leads to, as far as somebody has chosen it. */
  stop = $state<string | null>(null);
  /** The counter with the keyboard's focus. */
  private held: string | null = null;

  /** The counter that Tab leads to. */
  readonly entry: string | null = $derived.by(() => {
    const { spots, order } = this.layout;
    const { selected, able } = this.keyed;
    return [this.stop, selected].find((unit) => unit !== null && spots.has(unit)) ?? order.find((unit) => able.has(unit)) ?? order[0] ?? null;
  });

  constructor(keyed: Keyed, layout: Layout, camera: Camera, opened: Opened) {
    this.keyed = keyed;
    this.layout = layout;
    this.camera = camera;
    this.opened = opened;
  }

  /** Gives a counter the focus, and opens its stack. */
  focus(unit: string): void {
    const found = [...this.keyed.host.querySelectorAll<HTMLElement>('[data-unit]')].find((each) => each.dataset.unit === unit);
    if (!found) return;
    this.stop = unit;
    found.focus({ preventScroll: true });
    const place = found.dataset.place;
    if (place) {
      this.opened.place = place;
      this.reveal(place);
    }
  }

  private reveal(place: string): void {
    const point = this.layout.grid.point(place);
    this.camera.reveal(point ? [point] : [], 0);
  }

  /** Whether a counter of a stack has the focus: while it has, the stack stays open. */
  holds(place: string | null): boolean {
    const focus = document.activeElement;
    return focus instanceof HTMLElement && this.keyed.host.contains(focus) && focus.matches(':focus-visible') && focus.dataset.place === place;
  }

  /** A counter has got the focus; tells which and where. */
  focused(event: FocusEvent): { unit: string; place: string } | null {
    const piece = pieceOf(event);
    const { unit, place } = piece?.dataset ?? {};
    if (!piece || !unit || !place) return null;
    this.stop = this.held = unit;
    if (piece.matches(':focus-visible')) {
      this.opened.open(place);
      this.reveal(place);
    }
    return { unit, place };
  }

  /** A counter has lost it. */
  blurred(event: FocusEvent): void {
    const piece = pieceOf(event);
    if (!piece) return;
    this.opened.closeSoon();
    // A counter that moves to another stack is a new node; only one that is still there has really been left.
    setTimeout(() => {
      if (piece.isConnected && document.activeElement !== piece && this.held === piece.dataset.unit) this.held = null;
    });
  }

  /** The counters lie anew: the one with the focus keeps it. */
  keep(): void {
    if (this.held !== null && document.activeElement === document.body && this.layout.spots.has(this.held)) this.focus(this.held);
  }

  pressed(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { camera, opened } = this;
    const { order, spots } = this.layout;
    const way = ARROWS[event.key];
    if (way && this.keyed.arrowsTaken) return;
    const unit = pieceOf(event)?.dataset.unit;
    if (way && unit) {
      const from = spots.get(unit);
      const next = from && nextInDirection(from, [...spots].filter(([each]) => each !== unit), way);
      if (next) this.focus(next);
    } else if ((event.key === 'PageDown' || event.key === 'PageUp') && order.length) {
      const at = unit ? order.indexOf(unit) : -1;
      const next = order[(at + (event.key === 'PageDown' ? 1 : order.length - 1) + order.length) % order.length];
      if (next) this.focus(next);
    } else if (way && event.shiftKey) {
      const width = camera.size.width * PAN;
      const height = camera.size.height * PAN;
      camera.pan(way === 'left' ? width : way === 'right' ? -width : 0, way === 'up' ? height : way === 'down' ? -height : 0);
    } else if (event.key === '+' || event.key === '=') camera.zoomBy(ZOOM);
    else if (event.key === '-') camera.zoomBy(1 / ZOOM);
    else if (event.key === '0') camera.toFit(true);
    else if (event.key === 'Escape' && opened.place !== null) opened.place = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
