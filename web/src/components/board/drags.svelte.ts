/** What a hand drags on a table: the ghost of a unit, one of its models, a heading, the end of the tape, or a band about stands. */
import type { End, Hand } from '../../lib/hand';
import type { Point } from '../../lib/hex';
import type { Ghost } from '../../lib/layers';

/** So far must the hand move until it drags, in pixels of the screen. */
const GRIP = 4;
/** Who turns a unit turns it by this much, in degrees, unless Alt is held. */
const NOTCH = 5;
/** The click that ends a drag comes at once; a later one is meant. In milliseconds. */
const AFTERWARDS = 50;

interface Drag {
  pointer: number;
  /** What moves, and from where the hand has it. */
  what: 'unit' | 'model' | 'model-head' | 'turret' | 'head' | 'tape' | 'band';
  model: string;
  dx: number;
  dy: number;
  from: End;
  moved: boolean;
  startX: number;
  startY: number;
}

/** What is there to be dragged now, and who wants to know of it. */
export interface Draggable {
  ghost: Ghost | null;
  onhand: ((hand: Hand) => void) | undefined;
  ontape: ((from: End, to: End | null) => void) | undefined;
  /** Who wants to know what a band encloses; only where several can be chosen together. */
  onband: ((band: Band) => void) | undefined;
}

/** A rectangle drawn about things, in units of the board. */
export interface Band {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const PARTS: ReadonlySet<string> = new Set(['model', 'model-head', 'turret', 'head']);

export class Drags {
  private readonly there: () => Draggable;
  /** The point under a pointer, in units of the board. */
  private readonly pointAt: (event: MouseEvent) => Point;
  private drag: Drag | null = null;
  /** A drag that was one is followed by a click that is none. */
  dragged = false;
  /** Whether a unit is being dragged right now. */
  moving = $state(false);
  /** The band that is being drawn. */
  band = $state.raw<Band | null>(null);

  constructor(there: () => Draggable, pointAt: (event: MouseEvent) => Point) {
    this.there = there;
    this.pointAt = pointAt;
  }

  /** Whether a drag or a turn of the wheel is not for the map: it moves a ghost, or the tape. */
  isHandled = (event: Event): boolean => {
    const { ghost, ontape, onband } = this.there();
    if (event.type === 'wheel') return ghost !== null && (event as WheelEvent).shiftKey;
    if (ontape) return !('touches' in event && (event as TouchEvent).touches.length > 1);
    if (onband && event instanceof MouseEvent && event.shiftKey) return true;
    return ghost !== null && event.target instanceof Element && event.target.closest('[data-drag]') !== null;
  };

  /** The pointer goes down. */
  take(event: PointerEvent, host: HTMLElement): void {
    this.dragged = false;
    if (event.button || !(event.target instanceof Element) || event.target.closest('.gb-controls')) return;
    const { ghost, ontape, onband } = this.there();
    const base = { pointer: event.pointerId, model: '', dx: 0, dy: 0, from: { x: 0, y: 0, unit: '' }, moved: false, startX: event.clientX, startY: event.clientY };
    if (ontape) {
      this.drag = { ...base, what: 'tape', from: this.endAt(event, host) };
      ontape(this.drag.from, null);
      return;
    }
    const at = this.pointAt(event);
    if (onband && event.shiftKey) {
      this.drag = { ...base, what: 'band', from: { ...at, unit: '' } };
      return;
    }
    const part = event.target.closest<HTMLElement | SVGElement>('[data-drag]');
    if (!part || !ghost) return;
    const what = PARTS.has(part.dataset.drag ?? '') ? (part.dataset.drag as Drag['what']) : 'unit';
    const model = part.dataset.model ?? '';
    const held = what === 'model' ? (ghost.models.find((each) => each.id === model) ?? ghost) : ghost;
    this.drag = { ...base, what, model, dx: held.x - at.x, dy: held.y - at.y };
  }

  /** The pointer moves. */
  pull(event: PointerEvent, host: HTMLElement): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) < GRIP) return;
    if (!drag.moved) {
      drag.moved = true;
      this.moving = drag.what !== 'tape' && drag.what !== 'band';
      host.setPointerCapture?.(event.pointerId);
      host.classList.add('gb-dragging');
    }
    const { ghost, onhand, ontape } = this.there();
    if (drag.what === 'tape') {
      ontape?.(drag.from, this.endAt(event, host));
      return;
    }
    const at = this.pointAt(event);
    if (drag.what === 'band') {
      this.band = { left: Math.min(at.x, drag.from.x), top: Math.min(at.y, drag.from.y), right: Math.max(at.x, drag.from.x), bottom: Math.max(at.y, drag.from.y) };
    } else if (drag.what === 'unit') onhand?.({ what: 'move', x: at.x + drag.dx, y: at.y + drag.dy });
    else if (drag.what === 'model') onhand?.({ what: 'model', model: drag.model, x: at.x + drag.dx, y: at.y + drag.dy });
    else if (ghost) {
      const middle = drag.what === 'head' ? ghost : (ghost.models.find((each) => each.id === drag.model) ?? ghost);
      const turned = (Math.atan2(at.x - middle.x, middle.y - at.y) * 180) / Math.PI;
      const degrees = event.altKey ? turned : Math.round(turned / NOTCH) * NOTCH;
      onhand?.(drag.what === 'head' ? { what: 'head', degrees } : { what: drag.what, model: drag.model, degrees });
    }
  }

  /** The pointer goes up, or is lost. */
  letGo(event: PointerEvent, host: HTMLElement): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    this.moving = false;
    host.classList.remove('gb-dragging');
    if (!drag.moved) return;
    this.dragged = true;
    setTimeout(() => (this.dragged = false), AFTERWARDS);
    if (drag.what === 'band') {
      if (this.band) this.there().onband?.(this.band);
      this.band = null;
    } else if (drag.what !== 'tape') this.there().onhand?.({ what: 'drop' });
  }

  /**
   * A finger that drags a unit does not fling the page. The browser would take the end of a quick drag for a fling, and
   * then the next tap within a fifth of a second for the finger that stops it: it would come to nothing.
   */
  touch = (event: TouchEvent): void => {
    if (this.drag && event.cancelable) event.preventDefault();
  };

  /** Shift and the wheel turn the unit in the hand. */
  wheel = (event: WheelEvent): void => {
    const { ghost, onhand } = this.there();
    if (!ghost || !event.shiftKey) return;
    event.preventDefault();
    onhand?.({ what: 'turn', by: (event.deltaY || event.deltaX) > 0 ? NOTCH : -NOTCH });
  };

  /** A double click confirms what the first click has shown. */
  twice = (event: MouseEvent): void => {
    const { ghost, onhand, ontape } = this.there();
    if (!ghost || ontape || !(event.target instanceof Element) || event.target.closest('.gb-controls, .gb-turn')) return;
    const other = event.target.closest<HTMLElement>('[data-unit]');
    if (other && other.dataset.unit !== ghost.unit) return;
    onhand?.({ what: 'confirm' });
  };

  private endAt(event: PointerEvent, host: HTMLElement): End {
    const at = document.elementFromPoint?.(event.clientX, event.clientY);
    const unit = at && host.contains(at) ? (at.closest<HTMLElement>('[data-unit]')?.dataset.unit ?? '') : '';
    return { ...this.pointAt(event), unit };
  }
}
