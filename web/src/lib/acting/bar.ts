/** What the bar below the map says and offers. Knows no game's rules. */
import { spotIsSet, spotOf, type Marks } from './choices';
import { picksUnits, togglesOf, type Homes, type Situation } from './situation';
import type { Option } from '../types';

/** The options that belong on the bar itself: all of a short question, else the one that ends the unit's turn. */
export function quickOptions(situation: Situation, homes: Homes): Option[] {
  const { ask, sole, pass, actors } = situation;
  if (ask.dice || ask.reaction) return [];
  const rest = ask.options.filter((option) => option !== pass);
  const stays = (option: Option): boolean => {
    const spot = spotOf(option, homes);
    return !spotIsSet(spot) || (!spot.model && ((sole !== '' && spot.unit === sole) || sameEverywhere(ask.options, option)));
  };
  if (rest.length <= 6 && actors.size <= 1 && rest.every(stays)) return rest;
  if (!sole) return [];
  const ends = rest.filter((option) => !option.cost && !option.target && !option.model && spotOf(option, homes).unit === sole);
  return ends.length === 1 ? ends : [];
}

/** Whether all options lie in one and the same place, so that the map cannot tell them apart. */
function sameEverywhere(options: readonly Option[], option: Option): boolean {
  return options.every((other) => other.place === option.place);
}

/** So many letters of a button are said again in the hint. */
const SAID = 30;

/** To let it be: the words of its button, where they are few. */
function letItBe(pass: Option | null): string {
  const words = pass?.label ?? '';
  return words && words.length <= SAID ? `“${words}”` : 'pass';
}

/** What is asked, in plain words: the question and what to do next. */
export function hintFor(situation: Situation, selected: string | null, marks: Marks, homes: Homes, word = 'hex'): string {
  const { ask, sole, actors } = situation;
  if (ask.dice) return 'roll your dice and enter the result';
  if (ask.reaction) return `${actors.size > 1 ? 'choose who reacts' : 'choose one'}, or ${letItBe(situation.pass)}`;
  const targets = [...marks.units.keys()].filter((id) => homes.get(id)?.side !== ask.side).length;
  if (!sole && actors.size > 1 && !(selected && actors.has(selected))) {
    if (![...actors.keys()].some((id) => homes.get(id)?.place)) return 'choose one in the list';
    return picksUnits(situation) ? 'choose one of the marked units' : 'choose a unit';
  }
  const models = marks.models.size;
  if (togglesOf(situation).length && models) return 'click the marked stands, or hold Shift and click or drag over several';
  if (quickOptions(situation, homes).length > 1) return 'choose one';
  if (models && !marks.places.size) return `click ${models === 1 ? 'the' : 'a'} marked stand`;
  const hexes = marks.places.size;
  const actor = sole || selected || '';
  const orders = (actors.get(actor) ?? []).some((option) => spotOf(option, homes).unit === actor);
  const what = hexes && targets ? `a marked ${word} or target` : hexes ? (hexes === 1 ? `the marked ${word}` : `a marked ${word}`) : 'a target';
  if (hexes || targets) return `click ${what}${orders ? ' or choose an order' : ''}`;
  if (ask.options.length < 2) return '';
  return selected || sole ? 'choose an order' : 'choose one';
}
