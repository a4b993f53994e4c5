/** Boards, units and views for tests. */
import type { BoardView, HexView, MarkerView, UnitView, View } from '../src/lib/types';

export const COLUMNS = 8;
export const ROWS = 7;
export const STEP = 80;

/** A board of hexes with flat tops: A1, A2, … downwards, B1 half a hex lower. */
export function boardOf(): BoardView {
  const side = STEP / Math.sqrt(3);
  const hexes: HexView[] = [];
  for (let column = 0; column < COLUMNS; column++) {
    for (let row = 0; row < ROWS; row++) {
      const x = 60 + column * side * 1.5;
      const y = 60 + row * STEP + (column % 2 ? STEP / 2 : 0);
      hexes.push({
        id: `${String.fromCharCode(65 + column)}${row + 1}`,
        x,
        y,
        q: column,
        r: row - Math.floor(column / 2),
        text: 'open',
      });
    }
  }
  const corners = [240, 300, 0, 60, 120, 180].map((angle): [number, number] => [
    side * Math.cos((angle * Math.PI) / 180),
    side * Math.sin((angle * Math.PI) / 180),
  ]);
  const facings = [0, 60, 120, 180, 240, 300];
  const colours = { red: '#b5763f', blue: '#8d9a8c' };
  return {
    name: 'test',
    width: 120 + COLUMNS * side * 1.5,
    height: 120 + ROWS * STEP,
    step: STEP,
    measure: 'hexes',
    hexes,
    corners,
    facings,
    colours,
    table: false,
  };
}

/** A table of 60 × 40 measures, ten pixels each. */
export function table(): BoardView {
  return {
    name: 'table',
    width: 600,
    height: 400,
    step: 10,
    measure: 'inches',
    hexes: [],
    corners: [],
    facings: [],
    colours: {},
    table: true,
  };
}

export function unitOf(id: string, place: string, more: Partial<UnitView> = {}): UnitView {
  return {
    id,
    side: 'red',
    name: `Rifle Squad ${id}`,
    symbol: '10031000121211000000',
    place,
    facing: 0,
    stack: 0,
    with_unit: '',
    states: [],
    stats: {},
    short: 'Rifle',
    values: '4-6-4-4',
    badges: [],
    models: [],
    ...more,
  };
}

export function markerOf(kind: string, place: string, more: Partial<MarkerView> = {}): MarkerView {
  return { kind, place, side: '', facing: 0, text: '', radius: 0, length: 0, width: 0, outline: [], ...more };
}

export function viewOf(units: UnitView[], markers: MarkerView[] = []): View {
  return {
    game: 'any',
    scenario: 'any',
    side: 'red',
    map: 'test',
    turn: 1,
    phase: 'play',
    active: 'red',
    tracks: {},
    units,
    markers,
    ask: null,
    log: [],
    result: null,
    protocol: 3,
    graphics: [],
    formations: [],
    drafts: [],
    goal: null,
  };
}
