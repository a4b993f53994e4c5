import { describe, expect, it } from 'vitest';
import { isTheirs, isTyping, KEY_LINES, neighbour, readKey, RESERVED_LETTERS } from './keys';

const command = (key: string, more: object = {}): string => {
  const pressed = readKey({ key, ...more });
  return pressed?.kind === 'command' ? pressed.command : (pressed?.kind ?? 'nothing');
};

describe('keys', () => {
  it('reads every command', () => {
    expect(command('u')).toBe('undo');
    expect(command('z', { ctrlKey: true })).toBe('undo');
    expect(command('z', { metaKey: true })).toBe('undo');
    expect(command('U', { shiftKey: true })).toBe('step back');
    expect(command('p')).toBe('pass');
    expect(command(' ')).toBe('pass');
    expect(command('Enter')).toBe('confirm');
    expect(command('Escape')).toBe('cancel');
    expect(command('n')).toBe('next');
    expect(command('N', { shiftKey: true })).toBe('previous');
    expect(command('?', { shiftKey: true })).toBe('help');
    expect(command('/')).toBe('search');
    expect(command('F10', { shiftKey: true })).toBe('context');
    expect(command('ArrowUp')).toBe('up');
  });

  it('leaves the browser its own', () => {
    for (const key of ['r', 'l', 'p', 'n', 'f']) expect(readKey({ key, ctrlKey: true })).toBeNull();
    expect(readKey({ key: 'm', altKey: true })).toBeNull();
    expect(readKey({ key: 'z', ctrlKey: true, shiftKey: true })).toBeNull();
    expect(readKey({ key: 'F10' })).toBeNull();
    expect(readKey({ key: 'Tab' })).toBeNull();
  });

  it('reads letters and numbers', () => {
    expect(readKey({ key: 'f' })).toEqual({ kind: 'letter', letter: 'f' });
    expect(readKey({ key: '3' })).toEqual({ kind: 'number', number: 3 });
    expect(readKey({ key: '0' })).toBeNull();
  });

  it('lets no verb have the letters that the table needs', () => {
    for (const letter of RESERVED_LETTERS) expect(readKey({ key: letter })?.kind).toBe('command');
    expect(new Set(KEY_LINES.map((line) => line.text)).size).toBe(KEY_LINES.length);
  });

  it('stays silent while somebody types, and leaves a button its Enter', () => {
    document.body.innerHTML = '<input id="i"><button id="b"><i id="x"></i></button><div id="d"></div>';
    const at = (id: string): HTMLElement => document.getElementById(id)!;
    expect(isTyping(at('i'))).toBe(true);
    expect(isTyping(at('d'))).toBe(false);
    expect(isTheirs(at('x'), 'Enter')).toBe(true);
    expect(isTheirs(at('b'), 'n')).toBe(false);
    expect(isTheirs(at('d'), 'Enter')).toBe(false);
  });
});

describe('walking over hexes', () => {
  const [w, h] = [15, 17.32];
  const hexes = [0, 1, 2].flatMap((q) => [0, 1, 2].map((r) => ({ id: `${q}${r}`, x: q * w, y: r * h + (q % 2) * (h / 2) })));
  const from = hexes.find((hex) => hex.id === '11')!;

  it('goes to the neighbour in that direction', () => {
    expect(neighbour(hexes, from, 'up', 17.32)?.id).toBe('10');
    expect(neighbour(hexes, from, 'down', 17.32)?.id).toBe('12');
    expect(neighbour(hexes, from, 'left', 17.32, -1)?.id).toBe('01');
    expect(neighbour(hexes, from, 'left', 17.32, 1)?.id).toBe('02');
    expect(neighbour(hexes, from, 'right', 17.32, 1)?.id).toBe('22');
  });

  it('stays at the edge of the map', () => {
    expect(neighbour(hexes, hexes.find((hex) => hex.id === '00')!, 'up', 17.32)).toBeNull();
  });
});
