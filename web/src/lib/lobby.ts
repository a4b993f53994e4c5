/** From what is chosen in the lobby to a battle that the server can make, and to the links of its seats. */
import { seatPath } from './router.svelte';
import type { Card, Force, GameCard, Lesson, Level, Lobby, Made, NewBattle, SeatKey } from './types';

export type Opponent = 'bot' | 'hotseat' | 'invite';

/** What the dialog of a new battle asks for. */
export interface Wanted {
  game: string;
  /** "" for a random battle. */
  scenario: string;
  random: Record<string, string> | null;
  sides: string[];
  side: string;
  opponent: Opponent;
  level: string;
  ownDice: boolean;
  freeUndo: boolean;
}

/** The guided battle to begin with: the shortest lesson that there is. */
export function firstLesson(lobby: Lobby): { game: GameCard; lesson: Lesson; card: Card | null } | null {
  let best: { game: GameCard; lesson: Lesson; card: Card | null } | null = null;
  for (const game of lobby.games) {
    for (const lesson of game.lessons) {
      if (best && best.lesson.minutes <= lesson.minutes) continue;
      best = { game, lesson, card: game.scenarios.find((card) => card.name === lesson.scenario) ?? null };
    }
  }
  return best;
}

/** The opponents that a server has, and the one that it proposes. */
export type Levels = Pick<Lobby, 'levels' | 'default_level'>;

/** The opponent to offer first: the one that the server proposes, or else the strongest, which it lists last. */
export function usualLevel(lobby: Levels | null): string {
  const { levels = [], default_level = '' } = lobby ?? {};
  return (levels.find((level) => level.name === default_level) ?? levels.at(-1))?.name ?? '';
}

/** How long an opponent thinks, and what it may look at. */
export function levelTerms({ budget, sees }: Pick<Level, 'budget' | 'sees'>): string {
  const time = budget > 0 ? `Thinks up to ${budget === 1 ? 'a second' : `${budget} seconds`} per decision` : 'Answers immediately';
  return sees ? `${time}; looks at ${sees}.` : `${time}.`;
}

/** A number of units of a kind, such as "4 Rifle Squad"; "310 points" are no units. */
const OF_A_KIND = /^(\d+) (?=\P{Ll})/u;

/** Units of a kind, such as "3 × Rifle Squad": one of a kind needs no number. */
export function counted(words: string): string {
  return words.replace(OF_A_KIND, (_, count: string) => (count === '1' ? '' : `${count} × `));
}

/** A first proposal for a scenario. */
export function proposal(card: Card, lobby: Levels | null): Wanted {
  return {
    game: card.game,
    scenario: card.name,
    random: null,
    sides: card.sides,
    side: card.sides[0] ?? '',
    opponent: 'bot',
    level: usualLevel(lobby),
    ownDice: false,
    freeUndo: true,
  };
}

/** A first proposal for a random battle of a game; its sides get their names when it is made, and go by number. */
export function randomProposal(game: GameCard, lobby: Levels | null): Wanted {
  const random: Record<string, string> = {};
  for (const choice of game.random) random[choice.name] = choice.default;
  return {
    game: game.name,
    scenario: '',
    random,
    sides: ['1', '2'],
    side: '1',
    opponent: 'bot',
    level: usualLevel(lobby),
    ownDice: false,
    freeUndo: true,
  };
}

/** What a side is called: in a random battle by a choice of two names such as "one/other", else by its number. */
export function sideTitle(wanted: Wanted, side: string): string {
  if (!wanted.random) return sideName(side);
  const at = wanted.sides.indexOf(side);
  for (const value of Object.values(wanted.random)) {
    const names = value.split('/');
    if (names.length === wanted.sides.length && names[at]) return sideName(names[at]);
  }
  return at === 0 ? 'The first side' : 'The second side';
}

/** Who plays each side. */
export function playersOf(wanted: Wanted): Record<string, string> {
  const players: Record<string, string> = {};
  for (const side of wanted.sides) {
    const human = side === wanted.side || wanted.opponent !== 'bot';
    players[side] = human ? 'human' : wanted.level;
  }
  return players;
}

/** The battle to ask the server for. */
export function newBattle(wanted: Wanted): NewBattle {
  const battle: NewBattle = { game: wanted.game, players: playersOf(wanted) };
  if (wanted.random) battle.random = wanted.random;
  else battle.scenario = wanted.scenario;
  if (wanted.opponent === 'invite') battle.invite = true;
  if (wanted.ownDice) battle.own_dice = true;
  if (wanted.freeUndo && wanted.opponent !== 'invite') battle.free_undo = true;
  return battle;
}

/** The guided battle of a lesson; who plays which side is the lesson's to say. */
export function lessonBattle(game: GameCard, lesson: Lesson): NewBattle {
  return { game: game.name, lesson: lesson.id, free_undo: true };
}

/** Whether a text is a saved game; what people write themselves, a situation or a scenario, is not in braces. */
export function isSave(text: string): boolean {
  return text.trimStart().startsWith('{');
}

/**
 * The sides of a file that a battle is taken from. What people wrote themselves names its sides by words that are known
 * here; where that does not tell both, they are called by their places, which the server understands.
 */
export function sidesOfFile(text: string, lobby: Lobby): string[] {
  if (isSave(text)) return sidesOfSave(text, lobby);
  const words = new Set(text.replace(/#.*$/gm, '').match(/\w+/g));
  const known = new Set(lobby.games.flatMap((game) => game.scenarios.flatMap((card) => card.sides)));
  const named = [...known].filter((side) => words.has(side));
  return named.length === 2 ? named : ['1', '2'];
}

/** A side of a file in words. */
export function fileSideName(side: string): string {
  return side === '1' ? 'The first side' : side === '2' ? 'The second side' : sideName(side);
}

/** The sides of a saved game: its scenario's, where that is known here, or those that have answered in it. */
export function sidesOfSave(text: string, lobby: Lobby): string[] {
  let save: { game?: unknown; scenario?: unknown; answers?: unknown };
  try {
    save = JSON.parse(text) as typeof save;
  } catch {
    return [];
  }
  if (typeof save !== 'object' || save === null) return [];
  const game = lobby.games.find((each) => each.name === save.game);
  const card = game?.scenarios.find((each) => each.name === save.scenario);
  if (card) return card.sides;
  const answers = Array.isArray(save.answers) ? save.answers : [];
  const sides = answers.map((answer: unknown) => (Array.isArray(answer) ? String(answer[0]) : '')).filter(Boolean);
  return [...new Set(sides)];
}

export const WATCHER = 'watcher';

/** Which of a new battle's seats are played here, and which are given away. */
export function deal(made: Made, side: string): { mine: SeatKey[]; others: SeatKey[] } {
  const playing = made.seats.filter((seat) => seat.side !== WATCHER);
  if (made.battle.mode !== 'invite') return { mine: playing, others: made.seats.filter((seat) => seat.side === WATCHER) };
  const named = made.battle.sides.includes(side) ? side : made.battle.sides[Number(side) - 1];
  const mine = playing.filter((seat) => seat.side === named);
  const here = mine.length ? mine : playing.slice(0, 1);
  return { mine: here, others: made.seats.filter((seat) => !here.includes(seat)) };
}

/** The path of a battle's page for these seats. */
export function pathOf(id: string, seats: SeatKey[]): string {
  return seatPath(
    id,
    seats.map((seat) => seat.token),
  );
}

/** What a side has, without what it is worth: "4 Rifle Squad" and the like. */
export function kindsOf(force: Force): string[] {
  return force.units.filter((words) => !/^\d+ points$/.test(words));
}

/** How many counters a side has, from words such as "4 Rifle Squad". */
export function strength(force: Force): number {
  return force.units.reduce((sum, words) => sum + Number(OF_A_KIND.exec(words)?.[1] ?? (/^\d/.test(words) ? 0 : 1)), 0);
}

/** A side's name for people: "blue" → "Blue", "red_army" → "Red Army", and two letters are an abbreviation. */
export function sideName(side: string): string {
  return side
    .split(/[_\s]+/)
    .filter(Boolean)
    .map((word) => (word.length < 3 ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
}

/** How long ago, in words. */
export function ago(then: number, now = Date.now()): string {
  const minutes = Math.round((now - then) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days === 1 ? 'yesterday' : days < 30 ? `${days} days ago` : new Date(then).toLocaleDateString();
}

/** A text in paragraphs: a blank line parts them, and a line break within one means nothing. */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s*\n\s*/g, ' ').trim())
    .filter(Boolean);
}
