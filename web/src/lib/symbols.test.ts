import { describe, expect, it } from 'vitest';
import { contrast, inkOn, mix, SAFE, sideColours, symbolPicture, symbolsKept } from './symbols';

const RIFLE = '10031000121211000000';

describe('symbols', () => {
  it('are drawn once and kept', () => {
    const first = symbolPicture(RIFLE, '#ffffff');
    const kept = symbolsKept();
    expect(symbolPicture(RIFLE, '#ffffff')).toBe(first);
    expect(symbolsKept()).toBe(kept);
    expect(symbolPicture(RIFLE, '#eeeeee')).not.toBe(first);
    expect(symbolsKept()).toBe(kept + 1);
  });

  it('are pictures that a strict content policy lets through', () => {
    const source = symbolPicture(RIFLE, '#ffffff');
    expect(source).toMatch(/^data:image\/svg\+xml,/);
    const svg = decodeURIComponent(source.slice(source.indexOf(',') + 1));
    expect(svg).toMatch(/^<svg/);
    expect(svg).not.toMatch(/style=|<script|href=/);
  });

  it('are different for friend and foe', () => {
    expect(symbolPicture(RIFLE.replace('1003', '1006'), '#ffffff')).not.toBe(symbolPicture(RIFLE, '#ffffff'));
  });

  it('are nothing for what is no code', () => {
    for (const code of ['', 'SFGP', '1003', '1'.repeat(19), '<svg>']) expect(symbolPicture(code, '#fff')).toBe('');
  });
});

describe('colours', () => {
  it('are the board’s own, or Okabe and Ito’s', () => {
    const own = { german: '#8d9a8c', soviet: '#b5763f' };
    expect(sideColours(own, ['german', 'soviet'], 'standard').get('soviet')).toBe('#b5763f');
    const safe = sideColours(own, ['german', 'soviet', 'third'], 'safe');
    expect([...safe.values()]).toEqual(SAFE.slice(0, 3));
    expect(sideColours({}, ['x', 'y', 'x'], 'standard').size).toBe(2);
  });

  it('have ink that can be read: at least 4.5 to 1', () => {
    const all = [
      '#8d9a8c',
      '#b5763f',
      '#7f8f4e',
      '#c0a878',
      '#6f8fb5',
      '#a8748f',
      '#6aa39a',
      '#000000',
      '#ffffff',
      ...SAFE,
    ];
    for (const colour of all) expect(contrast(colour, inkOn(colour))).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  });

  it('mix', () => {
    expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
    expect(mix('#fff', '#000000', 1)).toBe('#000000');
    expect(mix('nonsense', '#808080', 0.3)).toBe('#808080');
  });
});
