/** The same battle again: the same players, or the sides swapped between them. */
import { newBattle, proposal } from '../../lib/lobby';
import type { Battle, Lobby, NewBattle, SeatView } from '../../lib/types';

/** Who plays each side the next time; swapped, every player takes the next side. */
export function players(seats: readonly SeatView[], sides: readonly string[], swap: boolean): Record<string, string> {
  const of = (side: string): string => seats.find((seat) => seat.side === side)?.player ?? 'human';
  const found: Record<string, string> = {};
  sides.forEach((side, at) => {
    found[side] = of(swap ? (sides[(at + 1) % sides.length] ?? side) : side);
  });
  return found;
}

/** The battle to ask the server for. */
export function rematch(battle: Battle, seats: readonly SeatView[], swap: boolean): NewBattle {
  const made: NewBattle = { game: battle.game, scenario: battle.scenario, players: players(seats, battle.sides, swap) };
  if (battle.mode === 'invite') made.invite = true;
  if (battle.own_dice) made.own_dice = true;
  if (battle.free_undo) made.free_undo = true;
  return made;
}

/** The side that this screen plays the next time. */
export function nextSide(sides: readonly string[], me: string, swap: boolean): string {
  if (!swap) return me;
  return sides[(sides.indexOf(me) + sides.length - 1) % sides.length] ?? me;
}

/** The battle that a lesson leads to: its title, what to ask the server for, and the side to play. */
export interface Following {
  title: string;
  battle: NewBattle;
  side: string;
}

export function followingOf(lobby: Lobby, game: string, scenario: string): Following | null {
  const card = lobby.games.find((each) => each.name === game)?.scenarios.find((each) => each.name === scenario);
  if (!card) return null;
  const wanted = proposal(card, lobby);
  return { title: card.title, battle: newBattle(wanted), side: wanted.side };
}
