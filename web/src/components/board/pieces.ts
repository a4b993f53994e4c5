/** How the models of a table are drawn: what a rectangle is, by its unit's NATO symbol, and how a plate is lettered. */
import { hullOf, middleOf, rim, type Body } from '../../lib/bodies';
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

/** A unit on a table: where it lies, all in units of the board. */
export interface Troop {
  unit: UnitView;
  middle: Point;
  hull: Point[];
  left: number;
  top: number;
  width: number;
  height: number;
  /** Large ones lie below small ones, so that each can be clicked. */
  size: number;
}

/** How far the hull of a unit lies about its bases. */
export const ABOUT = 0.34;

/** The units with models on a table, the largest first. */
export function findTroops(units: readonly UnitView[]): Troop[] {
  return units
    .filter((unit) => unit.place && unit.models.length > 0)
    .map((unit) => {
      const points = hullOf(unit.models, ABOUT);
      const xs = points.map(({ x }) => x);
      const ys = points.map(({ y }) => y);
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
      return { unit, middle: middleOf(unit.models), hull: points, left, top, width, height, size: width * height };
    })
    .sort((a, b) => b.size - a.size || (a.unit.id < b.unit.id ? -1 : 1));
}

/** The lowest point of bodies: plates hang below. */
export function bottomOf(bodies: readonly Body[]): number {
  return Math.max(...bodies.flatMap((body) => rim(body)).map(({ y }) => y));
}

/** The plate of a unit: its words, shortened where there is little room. */
export function plateText(unit: UnitView, near: boolean): string {
  if (near || !unit.short) return unit.name || unit.id;
  return unit.short;
}
