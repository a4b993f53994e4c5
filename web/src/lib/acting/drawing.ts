/** What is drawn over the map for the one who acts: where a unit can go, what it can aim at, the way, the ghost. */
import { percent } from '../../components/act/odds';
import { amount, sameSpot, type Choice, type Pending } from './choices';
import type { Acting } from './acting.svelte';
import { arrow } from '../facing';
import { noLayers, type Focus, type Layers, type ModelMark, type Reach, type Target } from '../layers';
import { shotsOf } from '../news';

/** A place on a table, as it is written. */
const POINT = /^-?[\d.]+,-?[\d.]+$/;

export function layersOf(acting: Acting): Layers {
  const { table, situation } = acting;
  const base: Layers = { ...noLayers(), ...table.layers };
  const known = [...(table.before?.units ?? []), ...table.view.units];
  base.shots = shotsOf(table.fresh, known, String(table.log.length));
  // While it is asked what comes of a shot, it stays to be seen who fires at whom.
  const cause = acting.reaction ? table.log.findLast((line) => line.units.length > 0) : undefined;
  // Whoever moved before it fired stands where it is now.
  if (cause) base.shots = shotsOf([cause], [...known].reverse(), String(table.log.length)).map((shot) => ({ ...shot, stays: true }));
  base.focus = focusOf(acting, base.focus);
  base.ghost = acting.placingUnit.ghost;
  if (!situation || table.tool !== 'none') return base;
  const { shown, marks } = acting;
  if (acting.reaction) for (const option of situation.ask.options) if (option.unit) base.focus.units.push(option.unit);
  base.reach = [...marks.places].map(([place, choices]) => reachOf(acting, place, choices, shown));
  base.targets = targetsOf(acting, shown);
  base.models = modelsOf(acting, shown);
  const chosen = shown?.choices[shown.index];
  const start = acting.actor ? acting.homes.get(acting.actor)?.place : undefined;
  if (chosen?.journey) base.path = { places: [...(start ? [start] : []), ...chosen.journey.via], label: chosen.cost };
  base.walks = acting.ways.of(chosen);
  return base;
}

/** What somebody else points at, what the lesson points at, and the cursor of the arrow keys. */
function focusOf({ guide, homes, pointer, table }: Acting, focus: Focus): Focus {
  const units = [...focus.units];
  const places = [...focus.places];
  const { board } = table.battle;
  for (const point of guide && !guide.skipped ? guide.point : []) {
    if (homes.has(point)) units.push(point);
    else if (board.table ? POINT.test(point) : board.hexes.some((hex) => hex.id === point)) places.push(point);
  }
  if (pointer.cursor) places.push(pointer.cursor);
  return { units, places };
}

function targetsOf(acting: Acting, shown: Pending | null): Target[] {
  return [...acting.marks.units]
    .filter(([id, choices]) => choices.some((choice) => choice.unit !== id && !choice.spot.model))
    .map(([id, choices]) => {
      const { place, side } = acting.homes.get(id)!;
      const friend = side === acting.table.me;
      const chosen = shown !== null && sameSpot(shown.spot, { unit: id, place });
      return { unit: id, place, text: chanceAt(acting, choices), ...(chosen ? { chosen } : {}), ...(friend ? { friend } : {}) };
    });
}

function modelsOf(acting: Acting, shown: Pending | null): ModelMark[] {
  const { gathering, homes, marks, table } = acting;
  return [...marks.models].map(([name, choices]) => {
    const [first] = choices;
    const { unit = '', model = '' } = first!.spot;
    return {
      unit,
      model,
      label: first!.label,
      text: chanceAt(acting, choices),
      chosen: shown !== null && sameSpot(shown.spot, first!.spot),
      gathered: gathering.has(name),
      gathers: gathering.offered.has(name),
      friend: homes.get(unit)?.side === table.me,
    };
  });
}

/** The best chance at a target that is known. */
function chanceAt(acting: Acting, choices: readonly Choice[]): string {
  const chances = choices.map((choice) => acting.odds.oddsOf(choice)?.to_them.probability).filter((p) => p !== undefined);
  return chances.length ? percent(Math.max(...chances)) : '';
}

function reachOf({ table }: Acting, place: string, choices: readonly Choice[], shown: Pending | null): Reach {
  const best = choices[0]!;
  // What it is paid in is the same all over the map: the figure alone is enough.
  const looks = best.option.place && best.option.place !== place ? arrow(best.option.place, place, table.battle.board) : '';
  const cost = best.journey ? amount(best.journey.cost) : best.option.cost.replace(/ \D+$/, '') || looks;
  const reach: Reach = { place, cost, text: best.label };
  if (best.journey && (best.journey.reactors.length || best.journey.rolls.length)) reach.danger = true;
  if (best.journey?.reactors.length) reach.threats = best.journey.reactors.length;
  if (shown && sameSpot(shown.spot, { place })) reach.chosen = true;
  return reach;
}
