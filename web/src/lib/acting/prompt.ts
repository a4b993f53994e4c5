/** Whose move it is and what is asked, in plain words. */
import { hintFor } from './bar';
import type { Acting } from './acting.svelte';
import { sideName } from '../lobby';
import { showsOwn } from '../news';
import type { BattleStore } from '../battle-store.svelte';
import { forHand } from '../touch';

export interface Prompt {
  /** Who is asked; "" for nobody at this screen. */
  who: string;
  text: string;
  hint: string;
}

/** The side that acts while this one watches. */
function actorName({ update, me }: BattleStore): string {
  const other = update.seats.find((seat) => seat.side !== me);
  return other ? sideName(other.side) : 'The other side';
}

export function promptOf(acting: Acting): Prompt {
  const { table, situation } = acting;
  if (table.replay.on) return { who: '', text: 'You’re looking at the past.', hint: '' };
  if (table.over) {
    const result = table.view.result;
    const how = result?.winner ? `${sideName(result.winner)} wins` : 'A draw';
    return { who: '', text: `The battle is over. ${how}${result?.reason ? `: ${result.reason.replace(/\.$/, '')}` : ''}.`, hint: '' };
  }
  if (table.curtain) return { who: '', text: `${sideName(table.curtain)} to decide.`, hint: '' };
  if (situation) {
    const hint = acting.picked ? 'confirm it, or choose another unit' : acting.placing ? acting.placingUnit.hint : hintFor(situation, table.selected, acting.marks, acting.homes, acting.spotWord);
    return { who: sideName(table.me), text: situation.ask.prompt, hint: forHand(hint) };
  }
  if (table.waiting > 0) return { who: '', text: showsOwn(table.fresh, table.me) ? 'This is what came of it.' : `${actorName(table)} acts …`, hint: '' };
  if (table.watching) return { who: '', text: 'You’re watching this battle.', hint: '' };
  const other = table.update.seats.find((seat) => seat.side !== table.me);
  const name = actorName(table);
  return { who: '', text: other && other.player !== 'human' ? `${name} is thinking …` : `Waiting for ${name} …`, hint: '' };
}
