/** A question for tests as a game asks it: two of our squads, two of theirs, and what the first of ours could do. */
import { choicesFor, marksOf } from '../src/lib/acting/choices';
import type { ClickContext } from '../src/lib/acting/meaning';
import { homesOf, situationOf } from '../src/lib/acting/situation';
import { journey, option, piece, question } from './asks';
import type { AskView, Option, Prospect, UnitView } from '../src/lib/types';

export const ask = (options: Option[], rest: Partial<AskView> = {}): AskView => question(options, { quiet: false, ...rest });
export const unit = (id: string, side: string, place: string): UnitView => ({ ...piece(id, side, place), name: `Squad ${id}` });

export const homes = homesOf([unit('b1', 'blue', 'C3'), unit('b2', 'blue', 'D4'), unit('r1', 'red', 'F5'), unit('r2', 'red', 'G6')]);
export const impulse = ask(
  [
    option('move b1', { unit: 'b1', place: 'C3', label: 'Move', cost: '1 IP' }),
    option('fire b1', { unit: 'b1', place: 'C3', label: 'Fire', cost: '1 IP' }),
    option('assault b1 D3', { unit: 'b1', place: 'D3', label: 'Assault D3' }),
    option('move b2', { unit: 'b2', place: 'D4', label: 'Move' }),
    option('oba', { label: 'Artillery' }),
    option('pass', { label: 'Pass' }),
  ],
  { quiet: true },
);
export const prospect: Prospect = {
  seq: 7,
  unit: 'b1',
  branches: [
    {
      option: impulse.options[0]!,
      prompt: '',
      follow: [],
      journeys: [
        journey('C4', ['move b1', 'step C4'], 1),
        journey('C5', ['move b1', 'step D4', 'step C5'], 3, { reactors: ['r1'] }),
        journey('C5', ['move b1', 'step C4', 'step C5'], 2),
      ],
    },
    {
      option: impulse.options[1]!,
      prompt: 'b1: fire at what?',
      follow: [
        option('at r1 own', { unit: 'b1', place: 'F5', target: 'r1' }),
        option('at r1 lmg', { unit: 'b1', place: 'F5', target: 'r1' }),
      ],
      journeys: [],
    },
  ],
};

export function scene(question: AskView | null, selected: string | null, foresight: Prospect | null, more: Partial<ClickContext> = {}): ClickContext {
  const situation = question && situationOf(question);
  const marks = marksOf(situation ? choicesFor(situation, selected ?? '', foresight, homes) : []);
  return { situation, selected, me: 'blue', homes, marks, pending: null, confirm: true, ...more };
}
