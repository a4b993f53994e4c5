/** The board by itself, with a battle from `fixture.json` and whatever the address asks to be shown: for looking at. */
import { mount } from 'svelte';
import Board from '../src/components/board/Board.svelte';
import { noLayers, type Layers } from '../src/lib/layers';
import { Grid } from '../src/lib/hex';
import { filled, type Fixture } from './fill';

declare global {
  interface Window {
    board_ready?: boolean;
  }
}

interface Wish {
  zoom?: number;
  dark?: boolean;
  palette?: 'standard' | 'safe';
  open?: boolean;
  hover?: boolean;
  markers?: boolean;
  table?: boolean;
  show?: (keyof Layers)[];
}

const MARKERS = [
  'objective',
  'smoke',
  'wreck',
  'rubble',
  'mines',
  'wire',
  'foxholes',
  'trench',
  'bunker',
  'pillbox',
  'barrage',
  'cover',
  'melee',
  'weapon',
  'fire',
  'roadblock',
  'glider',
];

function layersFor({ board, view, field, sight, prospect }: Fixture, wish: Wish): Layers {
  const grid = new Grid(board);
  const own = view.units.find((unit) => unit.id === prospect?.unit) ?? view.units.find((unit) => unit.place)!;
  const enemies = view.units.filter((unit) => unit.side !== own.side && unit.place);
  const journeys = prospect?.branches.flatMap((branch) => branch.journeys) ?? [];
  const reach = journeys.length
    ? [...new Map(journeys.map((each) => [each.place, each])).values()].map(({ place, cost, reactors }) => ({
        place,
        cost,
        danger: reactors.length > 0,
      }))
    : [1, 2, 3].flatMap((n) => grid.ring(own.place, n).map((place, i) => ({ place, cost: n, danger: i % 3 === 0 })));
  const goal = reach[reach.length - 1]!.place;
  const via = journeys.find((journey) => journey.place === goal)?.via;
  const all: Layers = {
    reach: reach.map((each) => ({ ...each, chosen: each.place === goal })),
    path: { places: via ? [own.place, ...via] : grid.line(own.place, goal), label: '3 points · 1 may fire' },
    targets: enemies
      .slice(0, 4)
      .map((unit, i) => ({ unit: unit.id, place: unit.place, text: `${42 + i * 9} %`, chosen: i === 0 })),
    sight: sight && {
      from: sight.start,
      to: sight.end,
      state: sight.state,
      crossed: sight.crossed,
      text: sight.text.slice(0, 40),
    },
    field: field?.places ?? null,
    rings: {
      center: own.place,
      ranges: field?.rings.length
        ? field.rings
        : [
            { range: 3, text: 'Normal' },
            { range: 6, text: 'Long' },
          ],
    },
    focus: { units: enemies.slice(-1).map((unit) => unit.id), places: grid.ring(own.place, 1).slice(0, 1) },
    shots: [{ from: own.place, to: enemies[0]?.place ?? own.place }],
  };
  const shown = noLayers();
  for (const name of wish.show ?? []) Object.assign(shown, { [name]: all[name] });
  return shown;
}

async function main(): Promise<void> {
  const wish = JSON.parse(decodeURIComponent(location.search.slice(1)) || '{}') as Wish;
  const fixture = filled((await (await fetch('./fixture.json')).json()) as Record<keyof Fixture, unknown>);
  document.documentElement.dataset.theme = wish.dark ? 'dark' : 'light';
  document.documentElement.dataset.palette = wish.palette ?? 'standard';
  if (wish.markers) {
    const taken = new Set(fixture.view.units.map((unit) => unit.place));
    const free = fixture.board.hexes.filter((hex) => !taken.has(hex.id));
    const sides = Object.keys(fixture.board.colours);
    fixture.view.markers.push(
      ...MARKERS.map((kind, i) => ({
        kind,
        place: free[9 + i * 5]?.id ?? '',
        side: i % 3 ? '' : sides[i % 2]!,
        facing: kind === 'bunker' ? 2 : 0,
        text: i % 2 ? 'hidden' : '',
      })),
      ...MARKERS.slice(0, 3).map((kind) => ({
        kind,
        place: fixture.view.units.find((unit) => unit.place)!.place,
        side: '',
        facing: 0,
        text: '',
      })),
      {
        kind: 'wire',
        place: `${free[3]!.id}|${new Grid(fixture.board).neighbours(free[3]!.id)[0]}`,
        side: '',
        facing: 0,
        text: '',
      },
    );
  }
  if (wish.table) {
    fixture.board = { ...fixture.board, hexes: [], corners: [], step: 40 };
    fixture.view.units.forEach(
      (unit, i) => (unit.place = unit.place && `${3 + (i % 9) * 2.2},${3 + Math.floor(i / 9) * 3}`),
    );
    fixture.view.markers.forEach((marker, i) => (marker.place = `${4 + i * 2},12.5`));
  }
  const acting = fixture.prospect?.unit ?? null;
  const board = mount(Board, {
    target: document.querySelector('#host')!,
    props: {
      board: fixture.board,
      landUrl: './land.svg',
      view: fixture.view,
      layers: wish.table ? noLayers() : layersFor(fixture, wish),
      selected: acting,
      dark: wish.dark ?? false,
      palette: wish.palette ?? 'standard',
      still: !wish.show?.includes('shots'),
      onunit: (id: string) => console.log('unit', id),
      onplace: (place: string) => console.log('place', place),
    },
  });
  await new Promise((done) => setTimeout(done, 300));
  const middle = fixture.view.units.find((unit) => unit.id === acting)?.place;
  if (wish.zoom) {
    board.zoomBy(wish.zoom);
    if (wish.zoom > 1 && middle && !wish.markers) board.centre(middle);
  }
  await new Promise((done) => setTimeout(done, 400));
  if (wish.open) {
    const counts = new Map<string, number>();
    for (const { place } of fixture.view.units) if (place) counts.set(place, (counts.get(place) ?? 0) + 1);
    const [crowded] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
    board.focusUnit(fixture.view.units.find((unit) => unit.place === crowded)!.id);
  }
  if (wish.hover) {
    const at = { bubbles: true, clientX: 500, clientY: 300, pointerType: 'mouse' };
    document.querySelector('.gb-board')!.dispatchEvent(new PointerEvent('pointermove', at));
  }
  window.board_ready = true;
}

void main();
