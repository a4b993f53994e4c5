import { describe, expect, it } from 'vitest';
import { Grid } from '../../lib/hex';
import { detailAt, fitIn, zoomRange } from './camera';
import { PART, partFor, serves, wholeScale, WHOLE } from './land';
import { bandOf, isSpent, markerLabel, markerLook, markerWords, unitWords } from './looks';
import markers from './markers.json';
import { layMarkers } from './marks';
import { boardOf, markerOf, unitOf } from '../../../test/boards';

describe('markers', () => {
  it('have drawings by their kind, its singular or plural, or its last word', () => {
    expect(markerLook('smoke')?.area).toBe(true);
    expect(markerLook('foxhole')?.title).toBe('Foxholes');
    expect(markerLook('burning_wreck')?.title).toBe('Wreck');
    expect(markerLook('glider')).toBeNull();
    expect(markerLook('_')).toBeNull();
  });

  it('have whole drawings in their file', () => {
    for (const [kind, look] of Object.entries(markers)) {
      if (typeof look === 'string') continue;
      expect(look.title, kind).toBeTruthy();
      for (const { d } of look.shapes) expect(d, kind).toMatch(/^M[-\d. MLHVZaAcCqQ]+$/);
    }
  });

  it('say in words what they are', () => {
    expect(markerWords(markerOf('objective', 'A1', { side: 'red', text: 'red' }))).toBe('Objective, red');
    expect(markerWords(markerOf('smoke', 'A1', { text: 'Smoke' }))).toBe('Smoke');
    expect(markerWords(markerOf('sand_bags', 'A1', { side: 'red' }))).toBe('sand bags, red');
    expect(markerLabel(markerOf('glider', 'A1'))).toBe('glider');
    expect(markerLabel(markerOf('wreck', 'A1'))).toBe('');
  });

  it('lie in the middle, beside counters, or on a hexside', () => {
    const grid = new Grid(boardOf());
    const laid = layMarkers(
      [
        markerOf('objective', 'B2'),
        markerOf('objective', 'C3'),
        markerOf('wreck', 'C3'),
        markerOf('wire', 'B2|B3'),
        markerOf('smoke', 'C3'),
        markerOf('x', 'Z9'),
      ],
      new Set(['C3']),
      grid,
    );
    expect(laid).toHaveLength(5);
    expect(laid.map((mark) => mark.beside)).toEqual([false, true, true, false, false]);
    expect(laid[1]!.x).not.toBe(laid[2]!.x);
    expect(laid[3]!.y).toBeCloseTo(grid.side('B2|B3')!.y);
    expect(laid[4]).toMatchObject(grid.point('C3')!);
    expect(new Set(laid.map((mark) => mark.id)).size).toBe(5);
  });
});

describe('counters', () => {
  it('are told whole in words', () => {
    const unit = unitOf('r1', 'B2', { states: ['broken', 'used'], facing: 2, with_unit: 'h1' });
    expect(unitWords(unit, ['can act', ''], '', 'Half-track 1')).toBe(
      'Rifle Squad r1, red, at B2, with Half-track 1, facing 2, broken, used, 4-6-4-4, can act',
    );
    expect(unitWords(unit)).toContain(', with another unit, ');
    expect(unitWords(unitOf('r1', ''))).toContain('off the map');
  });

  it('look spent when a state says so', () => {
    expect(isSpent(unitOf('a', 'B2', { states: ['used'] }))).toBe(true);
    expect(isSpent(unitOf('a', 'B2', { states: ['moved'] }))).toBe(false);
  });

  it('show more the nearer they are', () => {
    expect([20, 50, 80, 200].map(detailAt)).toEqual(['far', 'middle', 'close', 'near']);
  });
});

describe('the window', () => {
  it('fits the sheet', () => {
    const { k, x, y } = fitIn(800, 600, 4000, 1000);
    expect(k).toBeCloseTo(0.2 * 0.985);
    expect(x + 2000 * k).toBeCloseTo(400);
    expect(y + 500 * k).toBeCloseTo(300);
    const [least, most] = zoomRange(800, 600, 4000, 1000, 80);
    expect(least).toBeLessThan(k);
    expect(most).toBeGreaterThan(1);
  });
});

describe('bitmaps of the land', () => {
  it('stay within their bounds', () => {
    for (const [width, height] of [
      [300, 200],
      [4212, 4072],
      [20000, 20000],
    ] as const) {
      const scale = wholeScale(width, height);
      expect(width * height * scale * scale).toBeLessThanOrEqual(WHOLE * 1.001);
      expect(scale).toBeLessThanOrEqual(3);
    }
  });

  it('are drawn for a little more than the window, on the sheet', () => {
    const window = { left: 500, top: 400, width: 400, height: 300 };
    const part = partFor(window, 4000, 4000, 2);
    expect(part.left).toBeLessThan(500);
    expect(part.width).toBeGreaterThan(400);
    expect(part.width * part.height * 4).toBeLessThanOrEqual(PART * 1.001);
    expect(partFor({ ...window, left: -100 }, 4000, 4000, 2).left).toBe(0);
    const edge = partFor({ ...window, left: 3900 }, 4000, 4000, 2);
    expect(edge.left + edge.width).toBeLessThanOrEqual(4000);
  });

  it('serve as long as the window stays inside and the zoom about the same', () => {
    const part = { left: 100, top: 100, width: 500, height: 500 };
    const inside = { left: 150, top: 150, width: 300, height: 300 };
    expect(serves(part, 2, inside, 4000, 4000, 2)).toBe(true);
    expect(serves(part, 2, { ...inside, left: 400 }, 4000, 4000, 2)).toBe(false);
    expect(serves(part, 2, inside, 4000, 4000, 3)).toBe(false);
    expect(serves(part, 6, inside, 4000, 4000, 2)).toBe(false);
    expect(serves(null, 0, inside, 4000, 4000, 2)).toBe(false);
    // What lies beside the sheet need not be drawn.
    expect(
      serves(
        { left: 0, top: 0, width: 500, height: 500 },
        2,
        { left: -50, top: -50, width: 300, height: 300 },
        4000,
        4000,
        2,
      ),
    ).toBe(true);
  });
});

describe('the band across a counter', () => {
  it('has the worst state that is seen from afar, whatever else there is', () => {
    expect(bandOf({ states: ['moved', 'Shaken'] })).toEqual({ word: 'Shaken', look: 'bad', tilt: -5 });
    expect(bandOf({ states: ['shaken', 'broken'] })).toMatchObject({ word: 'broken', look: 'worst' });
    expect(bandOf({ states: ['moved', 'fired'] })).toBeNull();
  });
});
