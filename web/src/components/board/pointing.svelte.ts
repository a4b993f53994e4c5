/** The mouse, the finger and the pen on the map: which unit or place they mean, and what they tell of it. */
import type { Hand } from '../../lib/hand';
import type { BoardView, UnitView, View } from '../../lib/types';
import type { Camera } from './camera.svelte';
import type { Drags } from './drags.svelte';
import { pieceOf, type Keyboard } from './keyboard.svelte';
import type { Layout } from './layout.svelte';
import type { Opened } from './opened.svelte';
import { troopAt } from './pieces';

export interface Hovered {
  unit?: string;
  place?: string;
}

/** Who is told of it. */
export interface Told {
  /** A click on a unit; on a table with the place within it. */
  onunit?: ((id: string, event: Event, place?: string) => void) | undefined;
  onplace?: ((place: string, event: Event) => void) | undefined;
  onhover?: ((hovered: Hovered | null) => void) | undefined;
  /** A right-click, or a long press with a finger. */
  oncontext?: ((at: Hovered) => void) | undefined;
  /** What is done with the ghost of the layers. */
  onhand?: ((hand: Hand) => void) | undefined;
}

/** What is pointed at; read when it is needed, for it changes. */
export interface Pointed {
  readonly board: BoardView;
  readonly view: View;
  /** With a tape in hand a click on a pose is not meant for the unit. */
  readonly measuring: boolean;
  readonly told: Told;
}

/** The parts of the board that pointing has to do with. */
export interface Parts {
  camera: Camera;
  drags: Drags;
  keyboard: Keyboard;
  layout: Layout;
  opened: Opened;
}

export class Pointing {
  private readonly pointed: Pointed;
  private readonly parts: Parts;
  hover = $state<Hovered | null>(null);
  /** The last pointer was a finger or a pen: a first tap opens a stack, a second picks. */
  private touched = false;

  constructor(pointed: Pointed, parts: Parts) {
    this.pointed = pointed;
    this.parts = parts;
  }

  private placeOf(event: MouseEvent): string | null {
    const { x, y } = this.parts.camera.pointAt(event);
    return this.parts.layout.grid.placeAt(x, y);
  }

  /** The unit that a pointer means: on a table the one whose base it is on, for a finger the one in the hex that it is on. */
  private meant(unit: UnitView, event: MouseEvent): UnitView {
    if (event.detail === 0 && event.type === 'click') return unit;
    const { board, view } = this.pointed;
    const { camera, layout, opened } = this.parts;
    let found = unit.id;
    if (board.table && unit.models.length && event.target instanceof Element && !event.target.closest('.gb-plate')) {
      const { x, y } = camera.pointAt(event);
      found = troopAt(layout.troops, { x: x / board.step, y: y / board.step }, unit.id, layout.inch);
    } else if (!board.table && this.touched && opened.place === null) {
      const place = this.placeOf(event);
      const there = place !== unit.place ? layout.stacks.find((stack) => stack.place === place) : undefined;
      found = there?.spots.at(-1)?.unit.id ?? found;
    }
    return view.units.find((each) => each.id === found) ?? unit;
  }

  /** A unit was clicked. */
  pick = (hit: UnitView, event: MouseEvent): void => {
    const { drags, keyboard, layout, opened } = this.parts;
    if (drags.dragged) return;
    const { board, told } = this.pointed;
    const unit = this.meant(hit, event);
    const stack = layout.stacks.find((each) => each.place === unit.place);
    keyboard.stop = unit.id;
    if (stack && stack.spots.length > 1 && opened.place !== unit.place) {
      opened.open(unit.place);
      // A finger cannot hover: its first tap only opens.
      if (this.touched && event.detail !== 0) return;
    }
    const place = board.table && event.detail !== 0 ? this.placeOf(event) : null;
    if (place) told.onunit?.(unit.id, event, place);
    else told.onunit?.(unit.id, event);
  };

  /** A click beside the units. */
  click(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.target.closest('[data-unit], [data-mark], .gb-controls, .gb-minimap, .gb-tray')) return;
    const { measuring, told } = this.pointed;
    this.parts.opened.place = null;
    if (this.parts.drags.dragged) return;
    const pose = event.target.closest<SVGElement>('[data-pose]')?.dataset.pose;
    if (pose !== undefined && !measuring) {
      told.onhand?.({ what: 'spot', key: pose });
      return;
    }
    // The ghost is no ground; who clicks it has hold of the unit already.
    if (event.target.closest('[data-drag]')) return;
    const place = this.placeOf(event);
    if (place) told.onplace?.(place, event);
  }

  /** Tells a right-click or a long press: both come as the same event. */
  context(event: MouseEvent): void {
    const { oncontext } = this.pointed.told;
    if (!oncontext || (event.target instanceof Element && event.target.closest('.gb-controls, .gb-minimap'))) return;
    event.preventDefault();
    const piece = pieceOf(event);
    const unit = piece?.dataset.unit;
    const place = piece?.dataset.place ?? this.placeOf(event);
    if (place) oncontext({ place, ...(unit === undefined ? {} : { unit }) });
  }

  /** Something else is pointed at, by whatever means. */
  tell(next: Hovered | null): void {
    if (this.hover?.unit === next?.unit && this.hover?.place === next?.place) return;
    this.hover = next;
    this.pointed.told.onhover?.(next);
  }

  /** The pointer has moved, or was pressed or let go. */
  moved(event: PointerEvent): void {
    this.touched = event.pointerType !== 'mouse';
    if (this.touched || event.buttons) return;
    const { board, view } = this.pointed;
    const piece = pieceOf(event);
    const hit = view.units.find((each) => each.id === piece?.dataset.unit);
    const unit = hit && board.table ? this.meant(hit, event).id : piece?.dataset.unit;
    const place = piece?.dataset.place ?? this.placeOf(event);
    this.tell(place ? { place, ...(unit === undefined ? {} : { unit }) } : null);
  }
}
