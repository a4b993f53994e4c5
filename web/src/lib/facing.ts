/** Questions of facing: each option looks at a neighbouring hex, and that is where it is clicked. */
import type { Choice } from './acting/choices';
import type { AskView, BoardView, Option } from './types';

const ARROWS = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'];

/** The facing of an option: the last word of its key, where the board has so many facings; 0 for none. */
function facingOf(option: Option, board: BoardView): number {
  const last = /(?:^|\s)(\d+)$/.exec(option.key);
  const facing = last ? Number(last[1]) : 0;
  return facing >= 1 && facing <= board.facings.length ? facing : 0;
}

/** The hex that each option looks at, where a question is only about the facing of one piece; else none. */
export function facedPlaces(ask: AskView, board: BoardView): Map<string, string> {
  const found = new Map<string, string>();
  const [first] = ask.options;
  const from = first && board.hexes.find((hex) => hex.id === first.place);
  if (!from || ask.reaction || ask.options.length < 2) return found;
  for (const option of ask.options) {
    const facing = facingOf(option, board);
    if (!facing || option.verb !== first.verb || option.place !== first.place) return new Map();
    const angle = (board.facings[facing - 1]! * Math.PI) / 180;
    const to = { x: from.x + Math.sin(angle) * board.step, y: from.y - Math.cos(angle) * board.step };
    const seen = board.hexes.find((hex) => Math.hypot(hex.x - to.x, hex.y - to.y) < board.step * 0.4);
    if (seen) found.set(option.key, seen.id);
  }
  return found;
}

/** The choices of a question of facing, each to be clicked at the hex that it looks at. */
export function towards(choices: Choice[], ask: AskView, board: BoardView): Choice[] {
  const faced = facedPlaces(ask, board);
  if (!faced.size) return choices;
  return choices.map((choice) => {
    const place = faced.get(choice.option.key);
    return place ? { ...choice, spot: { place } } : choice;
  });
}

/** An arrow from one place to another, to the nearest eighth. */
export function arrow(from: string, to: string, board: BoardView): string {
  const a = board.hexes.find((hex) => hex.id === from);
  const b = board.hexes.find((hex) => hex.id === to);
  if (!a || !b) return '';
  return ARROWS[(Math.round(bearingOf(a, b) / 45) + 8) % 8]!;
}

/** The bearing from one point to another in degrees clockwise from up. */
export function bearingOf(from: { x: number; y: number }, to: { x: number; y: number }): number {
  return (Math.atan2(to.x - from.x, from.y - to.y) * 180) / Math.PI;
}
