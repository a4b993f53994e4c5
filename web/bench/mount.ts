/** The client's own board with 150 counters on a large map, for measuring. */
import { mount } from 'svelte';
import Board from '../src/components/board/Board.svelte';
import type { BoardView, HexView, UnitView, View } from '../src/lib/types';

const CODES = ['10031000121211000000', '10061500331202000000', '10031500001102030000', '10061000111218000000'];
const STEP = 80;

/** Hexes in columns as the land has them: 60 × 50, flat sides up. */
function hexes(): HexView[] {
  const found: HexView[] = [];
  const side = STEP / Math.sqrt(3);
  for (let column = 0; column < 60; column++) {
    for (let row = 0; row < 50; row++) {
      const x = 16 + side + column * side * 1.5;
      const y = 16 + STEP / 2 + row * STEP + (column % 2 ? STEP / 2 : 0);
      found.push({ id: `${column}.${row}`, x, y, q: column, r: row - Math.floor(column / 2), text: 'open' });
    }
  }
  return found;
}

function unit(i: number, place: string): UnitView {
  return {
    id: `u${i}`,
    side: i % 2 ? 'german' : 'soviet',
    name: `Rifle Squad u${i}`,
    symbol: CODES[i % CODES.length]!,
    place,
    facing: i % 3 ? 0 : 1 + (i % 6),
    stack: 0,
    with_unit: '',
    states: i % 5 ? [] : ['used'],
    stats: {},
    short: 'Rifle',
    values: '4-6-7-4',
    badges: i % 4 ? [] : ['Brk'],
  };
}

export async function mountBoard(target: Element, width: number, height: number): Promise<Element> {
  const side = STEP / Math.sqrt(3);
  const corners = [0, 60, 120, 180, 240, 300].map((angle): [number, number] => [
    side * Math.cos((angle * Math.PI) / 180),
    side * Math.sin((angle * Math.PI) / 180),
  ]);
  const all = hexes();
  const board: BoardView = {
    name: 'large',
    width,
    height,
    step: STEP,
    measure: 'hexes',
    hexes: all,
    corners,
    facings: [0, 60, 120, 180, 240, 300],
    colours: { german: '#8d9a8c', soviet: '#b5763f' },
  };
  const units = Array.from({ length: 150 }, (_, i) => unit(i, all[(i * 397) % all.length]!.id));
  const view: View = {
    game: '',
    scenario: '',
    side: 'german',
    map: '',
    turn: 1,
    phase: '',
    active: '',
    tracks: {},
    units,
    markers: [],
    ask: null,
    log: [],
    result: null,
    protocol: 2,
  };
  const made = mount(Board, { target, props: { board, landUrl: './land.svg', view } });
  await new Promise((done) => setTimeout(done, 2000));
  made.zoomBy(2.5);
  await new Promise((done) => setTimeout(done, 1500));
  return target.querySelector('.gb-board')!;
}
