/** The colour of a side as its counters have it, in the palette that the player chose. */
import { settings } from '../../lib/settings.svelte';
import { sideColours } from '../../lib/symbols';
import type { BattleStore } from '../../lib/battle-store.svelte';

export function colourOf(table: BattleStore, side: string): string {
  if (!side) return 'var(--line-2)';
  const { board, sides } = table.battle;
  return sideColours(board.colours, sides, settings.wishes.palette).get(side) ?? table.colour(side);
}
