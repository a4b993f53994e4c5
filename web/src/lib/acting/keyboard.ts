/** The table by keys alone: what a key does, given what is shown. */
import type { Acting } from './acting.svelte';
import { nextInDirection } from '../../components/board/stacks';
import { isTheirs, isTyping, neighbour, readKey, type Command } from '../keys';
import { TURN } from './placing.svelte';

/** How far an arrow moves a unit in the hand, in the board's own measure; with Shift. */
const NUDGE = 1;
const HAIR = 0.25;
const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;

export class Keyboard {
  private readonly acting: Acting;
  /** Which of two hexes to the side is next: by turns the upper and the lower one. */
  private lean = 1;

  constructor(acting: Acting) {
    this.acting = acting;
  }

  /** A key was pressed anywhere in the page. */
  press = (event: KeyboardEvent): void => {
    const { acting } = this;
    if (event.defaultPrevented || acting.table.curtain || isTyping(event.target)) return;
    // The button that showed what it would do is pressed again: that confirms.
    const again = acting.pending !== null && event.key === 'Enter' && event.target === acting.opener;
    const ghost = event.target instanceof Element && event.target.closest('[data-ghost]') !== null;
    // Who has dragged a unit has the focus on it: Enter means where it was put.
    const put = event.key === 'Enter' && Boolean(acting.placing?.touched) && event.target instanceof Element && event.target.closest('[data-unit], [data-spot]') !== null;
    if (isTheirs(event.target, event.key) && !again && !ghost && !put) return;
    // An open dialog has the keys to itself, wherever the focus went.
    if (document.querySelector('dialog[open]')) return;
    // A slip on the space bar must not end a turn: it passes reactions alone.
    if (event.key === ' ' && !acting.reaction) return;
    if (this.handled(event)) {
      event.preventDefault();
      return;
    }
    const pressed = readKey(event);
    if (!pressed) return;
    let done: boolean;
    if (pressed.kind === 'command') done = this.command(pressed.command);
    else if (pressed.kind === 'letter') done = this.letter(pressed.letter);
    else done = this.number(pressed.number);
    if (done) event.preventDefault();
  };

  /** A unit in the hand takes the arrows, R, F and M; a table has T for its tape. */
  private handled(event: KeyboardEvent): boolean {
    const { acting } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || !acting.table.battle.board.table) return false;
    const letter = event.key.toLowerCase();
    if (letter === 't' && !event.shiftKey && acting.page.tape) {
      acting.page.tape();
      return true;
    }
    const { placing } = acting;
    if (!placing || acting.table.tool !== 'none' || acting.pending) return false;
    const way = /^Arrow(Left|Right|Up|Down)$/.exec(event.key)?.[1]?.toLowerCase() as keyof typeof WAYS | undefined;
    if (way) {
      const far = event.shiftKey ? HAIR : NUDGE;
      placing.nudge(WAYS[way][0] * far, WAYS[way][1] * far);
      acting.show(`${placing.pose.x / 100},${placing.pose.y / 100}`);
    } else if (letter === 'r' && placing.turns) placing.turn(event.shiftKey ? -TURN : TURN);
    else if (letter === 'f' && placing.area.forms.length > 1) placing.nextForm();
    else if (letter === 'm' && placing.models.length > 1) placing.single = !placing.single;
    else return false;
    return true;
  }

  private command(command: Command): boolean {
    const { acting } = this;
    switch (command) {
      case 'undo':
        void acting.answers.undo();
        return true;
      case 'step back':
        void acting.answers.undo(true);
        return true;
      case 'pass':
        acting.answers.pass();
        return true;
      case 'confirm':
        return this.enter();
      case 'cancel':
        acting.cancel();
        return true;
      case 'next':
        return acting.nextUnit(false);
      case 'previous':
        return acting.nextUnit(true);
      case 'help':
        acting.dialog = 'help';
        return true;
      case 'search':
        return this.search();
      case 'context':
        return this.context();
      default:
        return this.walk(command);
    }
  }

  private enter(): boolean {
    const { acting } = this;
    if (acting.pending || acting.placing?.touched || acting.gathering.count) acting.confirm();
    else if (acting.pointer.cursor) {
      // On a table a unit does not fill its place: who stands there is meant.
      const here = acting.table.battle.board.table ? acting.table.view.units.find((unit) => unit.place === acting.pointer.cursor) : undefined;
      if (here) acting.clicks.unit(here.id);
      else acting.clicks.place(acting.pointer.cursor);
    }
    else if (acting.picked) acting.clicks.unit(acting.picked);
    else if (acting.pointer.resting?.unit) acting.clicks.unit(acting.pointer.resting.unit);
    else if (acting.pointer.resting?.place) acting.clicks.place(acting.pointer.resting.place);
    else return false;
    return true;
  }

  private search(): boolean {
    const box = this.acting.searchBox;
    const fold = box?.closest('details');
    if (fold) fold.open = true;
    box?.focus();
    return box !== null;
  }

  private context(): boolean {
    const { acting } = this;
    if (acting.pointer.cursor) acting.clicks.context({ place: acting.pointer.cursor });
    else if (acting.table.selected) acting.clicks.context({ unit: acting.table.selected });
    else return false;
    return true;
  }

  private letter(letter: string): boolean {
    const { acting } = this;
    const verb = [...acting.letters].find(([, own]) => own === letter)?.[0];
    const option = verb === undefined ? undefined : acting.offered().find((each) => each.verb === verb);
    if (option) acting.answers.order(option);
    return option !== undefined;
  }

  private number(number: number): boolean {
    const { acting } = this;
    const at = number - 1;
    if (acting.pending) {
      const choice = acting.pending.choices[at];
      if (choice && acting.pending.index === at) void acting.answers.commit(choice);
      else if (choice) acting.pick(at);
      return choice !== undefined;
    }
    if (acting.reaction) {
      const choice = acting.odds.reactionsKnown ? acting.odds.reactions()[at] : undefined;
      if (choice) void acting.answers.commit(choice);
      return choice !== undefined;
    }
    const option = acting.quick[at];
    if (option) void acting.answers.take(option);
    return option !== undefined;
  }

  /** The first arrow puts the cursor where one is, every other moves it. */
  private walk(way: 'left' | 'right' | 'up' | 'down'): boolean {
    const { acting } = this;
    const { board } = acting.table.battle;
    if (board.table) return this.leap(way);
    if (!board.hexes.length) return false;
    const home = acting.actor ? acting.unitOf(acting.actor)?.place : undefined;
    const start = acting.pointer.cursor ?? home ?? this.middle();
    const from = board.hexes.find((hex) => hex.id === start) ?? board.hexes[0]!;
    if (way === 'left' || way === 'right') this.lean = -this.lean;
    const to = acting.pointer.cursor === null ? from : neighbour(board.hexes, from, way, board.step, this.lean);
    if (to) acting.pointer.goTo(to.id);
    return true;
  }

  /** On a table the cursor leaps from one marked place or unit to the next in a direction. */
  private leap(way: keyof typeof WAYS): boolean {
    const { acting } = this;
    const places = new Set([...acting.marks.places.keys(), ...acting.table.view.units.map((unit) => unit.place)]);
    const points = [...places].flatMap((place): [string, { x: number; y: number }][] => {
      const [x = NaN, y = NaN] = place.split(',').map(Number);
      return Number.isNaN(x + y) ? [] : [[place, { x: x * 10, y: y * 10 }]];
    });
    if (!points.length) return false;
    const home = acting.actor ? acting.unitOf(acting.actor)?.place : undefined;
    const from = points.find(([place]) => place === (acting.pointer.cursor ?? home)) ?? points[0]!;
    const next = acting.pointer.cursor === null ? from[0] : nextInDirection(from[1], points, way);
    if (next) acting.pointer.goTo(next);
    return true;
  }

  private middle(): string {
    const { board } = this.acting.table.battle;
    const off = (hex: { x: number; y: number }): number => Math.hypot(hex.x - board.width / 2, hex.y - board.height / 2);
    return board.hexes.reduce((best, hex) => (off(hex) < off(best) ? hex : best)).id;
  }
}
