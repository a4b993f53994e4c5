/** How the models of a table are drawn: what each looks like, how they stand together, and how a plate is lettered. */
import { gapBetween, gapBetweenGroups, hullOf, isOn, middleOf, pointBody, rim, type Body } from '../../lib/bodies';
import type { Point } from '../../lib/hex';
import type { ModelView, UnitView } from '../../lib/types';

/** What a model is drawn as. */
export type Look = 'figure' | 'stand' | 'gun' | 'tank' | 'car' | 'marker';

const LOOKS: ReadonlySet<string> = new Set<Look>(['figure', 'stand', 'gun', 'tank', 'car', 'marker']);
/** A gun on its carriage is shorter than this, in inches; what is longer tows it. */
const CARRIAGE = 3.6;
/** So many figures of a stand find room beside each other at most. */
const ABREAST = 3;

/** Entities of the NATO code (digits 11 to 14): armour has a turret, artillery is a gun on a carriage. */
const ARMOUR = /^(1205|1206|1211)/;
const GUNS = /^(1204|1301|1303|1307|1308|1309)/;

/** What a model looks like: as the view says, or a figure if it is round, or by its unit's symbol. */
export function lookOf(unit: Pick<UnitView, 'symbol'> | null, model: Pick<ModelView, 'look' | 'length' | 'width'>, inch = 1): Look {
  if (LOOKS.has(model.look)) return model.look as Look;
  if (!(model.length > 0 && model.width > 0)) return 'figure';
  const entity = unit?.symbol.slice(10, 16) ?? '';
  if (GUNS.test(entity) && model.length < CARRIAGE * inch) return 'gun';
  return ARMOUR.test(entity) ? 'tank' : 'car';
}

/** Where the figures of a stand are, about its middle at heading 0, and how large; in the measure of its sides. */
export function figurePlaces(count: number, length: number, width: number): { x: number; y: number; radius: number }[] {
  const rows = count > ABREAST && length * 1.6 > width ? 2 : 1;
  const abreast = Math.ceil(count / rows);
  const radius = Math.min(width / (abreast * 2.5), length / (rows * 2.5));
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / abreast);
    const inRow = row === rows - 1 ? count - row * abreast : abreast;
    const x = ((i % abreast) - (inRow - 1) / 2) * (width / abreast) * 0.94;
    // Men do not stand like soldiers of tin.
    const y = (row - (rows - 1) / 2) * (length / rows) * 0.9 + (i % 2 ? 0.08 : -0.08) * length;
    return { x, y, radius };
  });
}

/** Who rides along, and where its plate is, in the board's measure. */
export interface Riding {
  unit: UnitView;
  x: number;
  y: number;
}

/** A unit on a table: where it lies, all in units of the board. */
export interface Troop {
  unit: UnitView;
  middle: Point;
  /** The hulls about those that stand together. */
  hulls: Point[][];
  /** What joins those that do not. */
  links: [Point, Point][];
  left: number;
  top: number;
  width: number;
  height: number;
  /** Large ones lie below small ones, so that each can be clicked. */
  size: number;
}

/** How far the hull of a unit lies about its bases, in inches. */
export const ABOUT = 0.34;

/** Models farther apart than so many inches do not stand together: no hull spans what lies between them. */
const TOGETHER = 4;
/** So near to a base a pointer means its unit, whatever hull lies there; in inches. */
const NEAR_BASE = 0.3;

/** Models in groups that stand together, and what joins each further group to those before it. */
function groupsOf<Model extends Body>(models: readonly Model[], inch: number): { groups: Model[][]; links: [Point, Point][] } {
  const groups: Model[][] = [];
  for (const model of models) {
    const near = groups.filter((group) => group.some((other) => gapBetween(model, other).gap <= TOGETHER * inch));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), model]);
  }
  const links = groups.slice(1).flatMap((group, at): [Point, Point][] => {
    const found = gapBetweenGroups(group, groups.slice(0, at + 1).flat());
    return found ? [[found.from, found.to]] : [];
  });
  return { groups, links };
}

/** The unit whose base lies under a point, where hulls lie over each other; else the one that was hit. */
export function troopAt(troops: readonly Troop[], point: Point, hit: string, inch = 1): string {
  const under = pointBody(point.x, point.y);
  const gap = (troop: Troop): number => Math.min(...troop.unit.models.map((model) => (isOn(model, point) ? 0 : gapBetween(model, under).gap)));
  const own = troops.find((troop) => troop.unit.id === hit);
  let best = { id: hit, gap: own ? gap(own) : Infinity };
  for (const troop of troops) {
    if (troop === own || best.gap === 0) continue;
    const far = gap(troop);
    if (far <= NEAR_BASE * inch && far < best.gap) best = { id: troop.unit.id, gap: far };
  }
  return best.id;
}

/** The units with models on a table, the largest first. */
export function findTroops(units: readonly UnitView[], inch = 1): Troop[] {
  return units
    .filter((unit) => unit.place && unit.models.length > 0)
    .map((unit) => {
      const { groups, links } = groupsOf(unit.models, inch);
      const hulls = groups.map((group) => hullOf(group, ABOUT * inch));
      const points = hulls.flat();
      const xs = points.map(({ x }) => x);
      const ys = points.map(({ y }) => y);
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
      return { unit, middle: middleOf(groups.reduce((most, group) => (group.length > most.length ? group : most))), hulls, links, left, top, width, height, size: width * height };
    })
    .sort((a, b) => b.size - a.size || (a.unit.id < b.unit.id ? -1 : 1));
}

/** The lowest point of bodies: plates hang below. */
export function bottomOf(bodies: readonly Body[]): number {
  return Math.max(...bodies.flatMap((body) => rim(body)).map(({ y }) => y));
}

/** The units that ride in others, each with the middle of the upper edge of its tag; `letters` is how high a plate's are. */
export function ridersOf(troops: readonly Troop[], units: readonly UnitView[], letters: number): Riding[] {
  return troops.flatMap(({ unit: host, middle }) =>
    units
      .filter((unit) => unit.with_unit === host.id && !unit.models.length)
      .map((unit, i) => ({ unit, x: middle.x, y: bottomOf(host.models) + letters * (1.6 + 1.45 * i) })),
  );
}

/** A name of more letters would lie on the units beside it. */
const LONG_NAME = 28;

/** The plate of a unit: its words, shortened where there is little room. */
export function plateText(unit: UnitView, near: boolean): string {
  if (!unit.short || (near && unit.name.length <= LONG_NAME)) return unit.name || unit.id;
  return unit.short;
}
