/** The battles that this browser has sat at, so that they can be continued: kept here, for the links are secrets. */
import type { Battle, Mode, SeatKey, Update } from './types';

export interface Remembered {
  id: string;
  title: string;
  game: string;
  mode: Mode;
  /** The seats that are played here. */
  seats: SeatKey[];
  /** Seats for others: links that can be given away. */
  invitations: SeatKey[];
  turn: number;
  turns: number;
  phase: string;
  over: boolean;
  /** "" while it goes on, and for a draw. */
  winner: string;
  /** Whether somebody here is asked. */
  yours: boolean;
  /** The other side, and who plays it: "human" or a program. */
  other: string;
  otherPlayer: string;
  lesson: boolean;
  /** When it was last open, in milliseconds. */
  date: number;
}

const KEY = 'grognard.battles';
const MOST = 60;

function isSeat(value: unknown): value is SeatKey {
  const seat = value as SeatKey | null;
  return typeof seat === 'object' && seat !== null && typeof seat.side === 'string' && typeof seat.token === 'string';
}

function read(value: unknown): Remembered | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = value as Partial<Remembered>;
  if (typeof found.id !== 'string' || !found.id) return null;
  const seats = Array.isArray(found.seats) ? found.seats.filter(isSeat) : [];
  if (!seats.length) return null;
  return {
    id: found.id,
    title: typeof found.title === 'string' ? found.title : found.id,
    game: typeof found.game === 'string' ? found.game : '',
    mode: found.mode === 'hotseat' || found.mode === 'invite' ? found.mode : 'solo',
    seats,
    invitations: Array.isArray(found.invitations) ? found.invitations.filter(isSeat) : [],
    turn: Number(found.turn) || 0,
    turns: Number(found.turns) || 0,
    phase: typeof found.phase === 'string' ? found.phase : '',
    over: found.over === true,
    winner: typeof found.winner === 'string' ? found.winner : '',
    yours: found.yours === true,
    other: typeof found.other === 'string' ? found.other : '',
    otherPlayer: typeof found.otherPlayer === 'string' ? found.otherPlayer : '',
    lesson: found.lesson === true,
    date: Number(found.date) || 0,
  };
}

/** The remembered battles, the latest first. */
export function remembered(storage: Storage = localStorage): Remembered[] {
  let stored: unknown;
  try {
    stored = JSON.parse(storage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored
    .map(read)
    .filter((each) => each !== null)
    .sort((one, other) => other.date - one.date);
}

function write(battles: Remembered[], storage: Storage): void {
  try {
    storage.setItem(KEY, JSON.stringify(battles.slice(0, MOST)));
  } catch {
    // Without a store the battle is still at its link.
  }
}

/** Remember a battle, or what has changed about it. */
export function remember(battle: Remembered, storage: Storage = localStorage): void {
  const before = remembered(storage).find((each) => each.id === battle.id);
  const others = remembered(storage).filter((each) => each.id !== battle.id);
  const seats = [...battle.seats];
  // A link to one side of a battle whose both sides are played at this screen must not forget the other.
  const both = battle.mode === 'hotseat' ? (before?.seats ?? []) : [];
  for (const seat of both) if (!seats.some((each) => each.side === seat.side)) seats.push(seat);
  const invitations = battle.invitations.length ? battle.invitations : (before?.invitations ?? []);
  write([{ ...battle, seats, invitations }, ...others], storage);
}

export function forget(id: string, storage: Storage = localStorage): void {
  write(
    remembered(storage).filter((each) => each.id !== id),
    storage,
  );
}

/** What to remember of a battle that is open. */
export function memory(
  battle: Battle,
  update: Update,
  seats: SeatKey[],
  invitations: SeatKey[] = [],
  date = Date.now(),
): Remembered {
  const other = update.seats.find((seat) => !seats.some((mine) => mine.side === seat.side));
  return {
    id: battle.id,
    title: battle.title,
    game: battle.game_title,
    mode: battle.mode,
    seats,
    invitations,
    turn: update.view.turn,
    turns: battle.turns,
    phase: update.view.phase,
    over: update.waiting === 'over',
    winner: update.view.result?.winner ?? '',
    yours: update.waiting === 'you',
    other: other?.side ?? '',
    otherPlayer: other?.player ?? '',
    lesson: battle.lesson !== null,
    date,
  };
}

/** How a battle stands now, as the server has it: what was remembered may be a day old. */
export function brought(battle: Remembered, updates: readonly Update[]): Remembered {
  const [first] = updates;
  if (!first) return battle;
  const other = first.seats.find((seat) => !battle.seats.some((mine) => mine.side === seat.side));
  return {
    ...battle,
    turn: first.view.turn,
    phase: first.view.phase,
    over: first.waiting === 'over',
    winner: first.view.result?.winner ?? '',
    yours: updates.some((update) => update.waiting === 'you'),
    other: other?.side ?? '',
    otherPlayer: other?.player ?? '',
  };
}

/** Put down how battles stand, without touching when they were last open. */
export function bringUp(battles: readonly Remembered[], storage: Storage = localStorage): void {
  const news = new Map(battles.map((battle) => [battle.id, battle]));
  write(
    remembered(storage).map((each) => news.get(each.id) ?? each),
    storage,
  );
}
