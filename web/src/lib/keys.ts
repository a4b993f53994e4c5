/** The keys of the table: what each does, and which one was pressed. */

export type Command =
  | 'undo'
  | 'step back'
  | 'pass'
  | 'confirm'
  | 'cancel'
  | 'next'
  | 'previous'
  | 'help'
  | 'search'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'context';

export interface KeyLine {
  command: Command | 'letter' | 'number' | 'zoom';
  keys: string[];
  text: string;
}

/** What the help dialog shows. */
export const KEY_LINES: readonly KeyLine[] = [
  { command: 'next', keys: ['N'], text: 'Next unit that can act' },
  { command: 'previous', keys: ['Shift + N'], text: 'Previous unit that can act' },
  { command: 'up', keys: ['←', '↑', '→', '↓'], text: 'Move the hex cursor over the map' },
  { command: 'confirm', keys: ['Enter'], text: 'Act at the cursor, or confirm what is shown' },
  { command: 'cancel', keys: ['Esc'], text: 'Cancel, close, or deselect the unit' },
  { command: 'letter', keys: ['a letter'], text: 'The order with that letter beside it' },
  { command: 'number', keys: ['1', '…', '9'], text: 'The choice with that number beside it' },
  { command: 'pass', keys: ['P'], text: 'Pass, hold fire or finish (also Space, when you may react)' },
  { command: 'undo', keys: ['U', 'Ctrl + Z'], text: 'Undo the last order' },
  { command: 'step back', keys: ['Shift + U'], text: 'Undo one step of it' },
  { command: 'context', keys: ['Shift + F10'], text: '“Why can’t it …?” for the cursor or the selected unit' },
  { command: 'search', keys: ['/'], text: 'Search all options' },
  { command: 'help', keys: ['?'], text: 'What can I do now?' },
  { command: 'zoom', keys: ['+', '−', '0'], text: 'Zoom in, zoom out, show the whole map' },
];

/** What the help dialog shows besides, on a table. */
export const TABLE_KEY_LINES: readonly KeyLine[] = [
  { command: 'up', keys: ['←', '↑', '→', '↓'], text: 'Move the unit in your hand, or jump from unit to unit (Shift: in small steps)' },
  { command: 'letter', keys: ['R', 'Shift + R'], text: 'Turn the unit in your hand (also Shift + wheel, or drag its knob)' },
  { command: 'letter', keys: ['F'], text: 'Next formation' },
  { command: 'letter', keys: ['M'], text: 'Set single models by hand: drag them' },
  { command: 'letter', keys: ['T'], text: 'Measuring tape: drag from a base or a point' },
];

/** Letters that no verb may take. */
export const RESERVED_LETTERS: readonly string[] = ['n', 'p', 'u'];

export type Pressed =
  | { kind: 'command'; command: Command }
  | { kind: 'letter'; letter: string }
  | { kind: 'number'; number: number };

export interface KeyPress {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
  shiftKey?: boolean;
}

const PLAIN: Readonly<Record<string, Command>> = {
  Enter: 'confirm',
  Escape: 'cancel',
  '?': 'help',
  '/': 'search',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ContextMenu: 'context',
};

/** What a key means, or null. */
export function readKey(press: KeyPress): Pressed | null {
  const command = (c: Command): Pressed => ({ kind: 'command', command: c });
  const letter = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (press.ctrlKey || press.metaKey) return letter === 'z' && !press.shiftKey && !press.altKey ? command('undo') : null;
  if (press.altKey) return null;
  if (press.key === 'F10' && press.shiftKey) return command('context');
  const plain = PLAIN[press.key];
  if (plain) return command(plain);
  if (press.key === ' ') return command('pass');
  if (letter === 'n') return command(press.shiftKey ? 'previous' : 'next');
  if (letter === 'u') return command(press.shiftKey ? 'step back' : 'undo');
  if (press.shiftKey) return null;
  if (letter === 'p') return command('pass');
  if (/^[a-z]$/.test(letter)) return { kind: 'letter', letter };
  if (/^[1-9]$/.test(letter)) return { kind: 'number', number: Number(letter) };
  return null;
}

const FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';
const CONTROLS = 'button, a[href], summary, [role="button"], [role="tab"], [role="option"], [role="menuitem"]';

function inside(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Whether somebody is typing there: then no key is ours, except Escape. */
export function isTyping(target: EventTarget | null): boolean {
  return inside(target, FIELDS);
}

/** Whether the key belongs to what has the focus: a button takes Enter and Space, a slider or a list its arrows. */
export function isTheirs(target: EventTarget | null, key: string): boolean {
  if (key === 'Enter' || key === ' ') return inside(target, CONTROLS);
  if (key.startsWith('Arrow')) return inside(target, '[role="slider"], [role="tab"], [role="listbox"], [role="menu"]');
  return false;
}

export interface Point {
  id: string;
  x: number;
  y: number;
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** The hex next to another that lies best in a direction; `lean` (−1 or 1) chooses between two that lie alike. */
export function neighbour(
  hexes: readonly Point[],
  from: Point,
  way: 'left' | 'right' | 'up' | 'down',
  step: number,
  lean = 1,
): Point | null {
  const [dx, dy] = WAYS[way]!;
  let best: Point | null = null;
  let most = 0.3;
  for (const hex of hexes) {
    const x = hex.x - from.x;
    const y = hex.y - from.y;
    const far = Math.hypot(x, y);
    if (far === 0 || far > step * 1.3) continue;
    const side = dx !== 0 ? y : x;
    const along = (x * dx + y * dy) / far + (Math.sign(side) === lean ? 0.001 : 0);
    if (along > most) {
      most = along;
      best = hex;
    }
  }
  return best;
}
