import { describe, expect, it } from 'vitest';
import { axialDistance, axialRound, Grid } from './hex';
import { boardOf, COLUMNS, ROWS, STEP, table } from '../../test/boards';

const grid = new Grid(boardOf());

describe('axial coordinates', () => {
  it('count steps', () => {
    expect(axialDistance({ q: 0, r: 0 }, { q: 3, r: -1 })).toBe(3);
    expect(axialDistance({ q: 2, r: 2 }, { q: 2, r: 2 })).toBe(0);
    expect(axialDistance({ q: 0, r: 0 }, { q: 2, r: 3 })).toBe(5);
  });

  it('round to the hex that they lie in', () => {
    expect(axialRound(0.1, -0.2)).toEqual({ q: 0, r: 0 });
    expect(axialRound(1.6, -0.9)).toEqual({ q: 2, r: -1 });
    expect(axialRound(0.4, 0.4)).not.toEqual({ q: 1, r: 1 });
  });
});

describe('a grid', () => {
  it('finds each hex at its middle and near its corners', () => {
    for (const hex of grid.hexes.values()) {
      expect(grid.hexAt(hex.x, hex.y)).toBe(hex.id);
      for (const [x, y] of grid.board.corners) expect(grid.hexAt(hex.x + x * 0.97, hex.y + y * 0.97)).toBe(hex.id);
    }
  });

  it('finds the nearest middle wherever one points', () => {
    for (let i = 0; i < 300; i++) {
      const x = ((i * 37) % 97) * (grid.board.width / 97);
      const y = ((i * 53) % 89) * (grid.board.height / 89);
      const found = grid.hexAt(x, y);
      const near = [...grid.hexes.values()].map((hex) => ({ id: hex.id, far: Math.hypot(hex.x - x, hex.y - y) }));
      near.sort((a, b) => a.far - b.far);
      if (found) expect(near[0]!.id).toBe(found);
      else expect(near[0]!.far).toBeGreaterThan(STEP / 2 - 0.01);
    }
  });

  it('has nothing beside the map', () => {
    expect(grid.hexAt(-200, -200)).toBeNull();
    expect(grid.placeAt(1e5, 0)).toBeNull();
  });

  it('knows points, hexsides and their angle', () => {
    const side = grid.side('B2|B3')!;
    expect(side.x).toBeCloseTo(grid.point('B2')!.x);
    expect(side.y).toBeCloseTo((grid.point('B2')!.y + grid.point('B3')!.y) / 2);
    expect(Math.abs(side.angle % 180)).toBeCloseTo(0);
    expect(side.length).toBeCloseTo(STEP / Math.sqrt(3));
    expect(grid.side('A1|D4')).toBeNull();
    expect(grid.point('A1|D4')).toBeNull();
    expect(grid.point('Z99')).toBeNull();
    expect(grid.point('')).toBeNull();
    for (const name of grid.hexes.keys()) {
      for (const other of grid.neighbours(name)) {
        expect(grid.side(`${name}|${other}`)!.angle).toBeCloseTo(grid.side(`${other}|${name}`)!.angle);
      }
    }
  });

  it('measures, rings and lines', () => {
    expect(grid.distance('A1', 'A4')).toBe(3);
    expect(grid.distance('A1', 'nowhere')).toBe(-1);
    expect(grid.neighbours('C3')).toHaveLength(6);
    expect(grid.neighbours('A1').length).toBeLessThan(6);
    const ring = grid.ring('D4', 2);
    expect(ring).toHaveLength(12);
    expect(new Set(ring).size).toBe(12);
    for (const hex of ring) expect(grid.distance('D4', hex)).toBe(2);
    expect(grid.ring('D4', 0)).toEqual(['D4']);
    const line = grid.line('A1', 'F5');
    expect(line[0]).toBe('A1');
    expect(line.at(-1)).toBe('F5');
    expect(line).toHaveLength(grid.distance('A1', 'F5') + 1);
    for (let i = 1; i < line.length; i++) expect(grid.distance(line[i - 1]!, line[i]!)).toBe(1);
    expect(grid.line('A1', 'nowhere')).toEqual([]);
  });

  it('draws outlines: six sides alone, and 12n + 6 around a range of n', () => {
    expect(grid.outline('C3').split(' ')).toHaveLength(6);
    expect(grid.outline('nowhere')).toBe('');
    expect(grid.outlines(['A1', 'nowhere', 'A2']).match(/Z/g)).toHaveLength(2);
    for (const range of [0, 1, 2, 5]) expect(grid.rangeOutline('D4', range).match(/M/g)).toHaveLength(12 * range + 6);
    expect(grid.rangeOutline('nowhere', 2)).toBe('');
  });

  it('says the ground and the facing', () => {
    expect(grid.ground('A1')).toBe('open');
    expect(grid.ground('nowhere')).toBe('');
    expect(grid.facing(2)).toBe(60);
    expect(grid.facing(9)).toBe(0);
  });

  it('has all hexes of the test board', () => {
    expect(grid.hexes.size).toBe(COLUMNS * ROWS);
  });
});

describe('a table without hexes', () => {
  const plain = new Grid(table());

  it('has places to the hundredth of its measure', () => {
    expect(plain.hexed).toBe(false);
    expect(plain.placeAt(100, 43.21)).toBe('10,4.32');
    expect(plain.placeAt(-1, 5)).toBeNull();
    expect(plain.point('10,4.5')).toEqual({ x: 100, y: 45 });
    expect(plain.point('nonsense')).toBeNull();
    expect(plain.point('1,2|3,4')).toBeNull();
    expect(plain.distance('0,0', '3,4')).toBe(5);
    expect(plain.ring('1,1', 2)).toEqual([]);
    expect(plain.outline('1,1')).toBe('');
  });

  it('has circles for rings', () => {
    expect(plain.rangeOutline('5,5', 2)).toContain('a20,20');
  });
});

it('works with a single hex', () => {
  const board = boardOf();
  const one = new Grid({ ...board, hexes: [board.hexes[0]!] });
  const { id, x, y } = board.hexes[0]!;
  expect(one.hexAt(x + 5, y)).toBe(id);
  expect(one.hexAt(x + 500, y)).toBeNull();
  expect(one.rangeOutline(id, 1)).toContain('a');
});
