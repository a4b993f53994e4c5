/** How the models of a table are drawn: what a rectangle is, by its unit's NATO symbol, and how a plate is lettered. */
import { gapBetween, gapBetweenGroups, hullOf, isOn, middleOf, pointBody, rim, type Body } from '../../lib/bodies';
import type { Point } from '../../lib/hex';
import type { ModelView, UnitView } from '../../lib/types';

export type Hull = 'tank' | 'gun' | 'car';

/** Entities of the NATO code (digits 11 to 14): armour has a turret, artillery is a gun on a carriage. */
const ARMOUR = /^(1205|1206|1211)/;
const GUNS = /^(1204|1301|1303|1307|1308|1309)/;

/** What a rectangle of a unit looks like. */
export function hullKind(unit: Pick<UnitView, 'symbol'>, model: Pick<ModelView, 'length'>): Hull {
  const entity = unit.symbol.slice(10, 16);
  if (GUNS.test(entity) && model.length < 3.6) return 'gun';
  return ARMOUR.test(entity) ? 'tank' : 'car';
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

/** How far the hull of a unit lies about its bases. */
export const ABOUT = 0.34;

/** Models farther apart than this do not stand together: no hull spans what lies between them. */
const TOGETHER = 4;
/** So near to a base a pointer means its unit, whatever hull lies there. */
const NEAR_BASE = 0.3;

/** Models in groups that stand together, and what joins each further group to those before it. */
function groupsOf<Model extends Body>(models: readonly Model[]): { groups: Model[][]; links: [Point, Point][] } {
  const groups: Model[][] = [];
  for (const model of models) {
    const near = groups.filter((group) => group.some((other) => gapBetween(model, other).gap <= TOGETHER));
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
export function troopAt(troops: readonly Troop[], point: Point, hit: string): string {
  const under = pointBody(point.x, point.y);
  const gap = (troop: Troop): number => Math.min(...troop.unit.models.map((model) => (isOn(model, point) ? 0 : gapBetween(model, under).gap)));
  const own = troops.find((troop) => troop.unit.id === hit);
  let best = { id: hit, gap: own ? gap(own) : Infinity };
  for (const troop of troops) {
    if (troop === own || best.gap === 0) continue;
    const far = gap(troop);
    if (far <= NEAR_BASE && far < best.gap) best = { id: troop.unit.id, gap: far };
  }
  return best.id;
}

/** The units with models on a table, the largest first. */
export function findTroops(units: readonly UnitView[]): Troop[] {
  return units
    .filter((unit) => unit.place && unit.models.length > 0)
    .map((unit) => {
      const { groups, links } = groupsOf(unit.models);
      const hulls = groups.map((group) => hullOf(group, ABOUT));
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

/** The plate of a unit: its words, shortened where there is little room. */
export function plateText(unit: UnitView, near: boolean): string {
  if (near || !unit.short) return unit.name || unit.id;
  return unit.short;
}
