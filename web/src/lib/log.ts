/** The log as rows to show: grouped by turn and by answer, filtered, and as plain text. Knows no game's events. */
import { percent } from '../components/act/odds';
import { sideName } from './lobby';
import type { Frame, LogLine, TallyView } from './types';

/** What the log shows. An empty `side` or an empty set of `kinds` hides nothing. */
export interface LogFilter {
  side: string;
  kinds: ReadonlySet<string>;
  rolls: boolean;
  answers: boolean;
  text: string;
}

export const NO_FILTER: LogFilter = { side: '', kinds: new Set(), rolls: false, answers: false, text: '' };

/** A line with its number in the whole log, and whether its side speaks first, or again after another. */
export interface Entry {
  index: number;
  line: LogLine;
  speaks: boolean;
}

/** What one answer led to: the lines that were written between two moments. */
export interface Group {
  key: string;
  /** The number of the moment after it; null while there is none yet. */
  frame: number | null;
  /** The heading of the turn that begins with this group, or null. */
  heading: string | null;
  entries: Entry[];
}

/** The event of an answer is core's own; everything else is told by the game. */
export function isAnswer(line: LogLine): boolean {
  return line.kind === 'Asked';
}

/** Whether dice were thrown. */
export function isRoll(line: LogLine): boolean {
  return line.faces.length > 0 || line.dice !== '';
}

/** An event's kind in words: "LostPoints" → "lost points". */
export function kindWords(kind: string): string {
  return kind
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .trim();
}

/** A word as a heading: the first letter large, no underscores. */
export function titled(word: string): string {
  const text = word.replace(/_/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The kinds of events that occur, the most frequent first; answers are not among them. */
export function kindsOf(lines: readonly LogLine[]): { kind: string; words: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.kind && !isAnswer(line)) counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1);
  }
  return [...counts]
    .map(([kind, count]) => ({ kind, words: kindWords(kind), count }))
    .sort((a, b) => b.count - a.count || a.words.localeCompare(b.words));
}

/** Whether a line passes the filter. */
export function matches(line: LogLine, filter: LogFilter): boolean {
  if (isAnswer(line) && !filter.answers) return false;
  if (filter.side && line.side !== filter.side) return false;
  if (filter.rolls && !isRoll(line)) return false;
  if (filter.kinds.size && !filter.kinds.has(line.kind)) return false;
  const text = filter.text.trim().toLowerCase();
  if (!text) return true;
  const where = [line.text, line.side, ...line.rules, ...line.units, ...line.places];
  for (const tally of line.tallies) where.push(tally.text);
  return where.some((words) => words.toLowerCase().includes(text));
}

/** Whether a filter hides anything but the answers. */
export function filters(filter: LogFilter): boolean {
  return Boolean(filter.side || filter.kinds.size || filter.rolls || filter.text.trim());
}

/**
 * The log in groups. A turn's heading goes before the line that opens the turn, if the answer's lines have one:
 * the answer that ended the old turn belongs to the old turn.
 */
export function grouped(lines: readonly LogLine[], frames: readonly Frame[], filter: LogFilter = NO_FILTER): Group[] {
  const groups: Group[] = [];
  let turn: number | null = null;
  let heading: string | null = null;
  let side: string | null = null;
  const add = (start: number, end: number, frame: Frame | null, part: string): void => {
    const entries: Entry[] = [];
    if (heading !== null) side = null;
    for (let index = start; index < end; index += 1) {
      const line = lines[index];
      if (!line || !matches(line, filter)) continue;
      entries.push({ index, line, speaks: line.side !== side });
      side = line.side;
    }
    if (!entries.length) return;
    groups.push({ key: `${start}${part}`, frame: frame?.number ?? null, heading, entries });
    heading = null;
  };
  let start = 0;
  for (const frame of frames) {
    const end = Math.min(frame.log, lines.length);
    if (frame.turn !== turn) {
      turn = frame.turn;
      let cut = start;
      if (groups.length || start > 0) {
        for (let index = start; index < end; index += 1) {
          if (lines[index]?.turn === turn) {
            cut = index;
            break;
          }
        }
      }
      add(start, cut, frame, 'a');
      heading = turnTitle(turn, frames[0]?.turn);
      start = cut;
    }
    if (end > start) {
      add(start, end, frame, '');
      start = end;
    }
  }
  add(start, lines.length, null, '');
  return groups;
}

/** The turn's heading. Where turns count down from the `first`, none is left in a further turn. */
export function turnTitle(turn: number, first: number | undefined): string {
  if (turn > 0) return `Turn ${turn}`;
  return first ? 'A further turn' : 'Before the battle';
}

/** The moment to which a line belongs: the first whose log holds it; the last when there is none. */
export function frameOfLine(frames: readonly Frame[], index: number): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.log ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return frames[low]?.number ?? 0;
}

/** The moments at which a turn begins, as marks on a slider. */
export function turnMarks(frames: readonly Frame[]): { at: number; turn: number }[] {
  const marks: { at: number; turn: number }[] = [];
  let turn: number | null = null;
  frames.forEach((frame, at) => {
    if (frame.turn !== turn) marks.push({ at, turn: frame.turn });
    turn = frame.turn;
  });
  return marks;
}

/** A modifier with its sign: "+2", "−1". */
export function signed(amount: number): string {
  return amount < 0 ? `−${-amount}` : `+${amount}`;
}

/** A number with the sign of arithmetic, not a hyphen. */
export function plain(number: number): string {
  return number < 0 ? `−${-number}` : String(number);
}

/** What a roll was for and what it meant; the faces are drawn between the two. */
export function rollParts(line: LogLine): { before: string; after: string } {
  const at = line.text.lastIndexOf('→');
  if (at < 0) return { before: line.text, after: '' };
  let before = line.text.slice(0, at).trim();
  if (line.dice) {
    // "Cover, Squad: 1d6 (2)": the dice are drawn, so the words need not tell them again.
    const told = before.lastIndexOf(`: ${line.dice}`);
    if (told >= 0) before = before.slice(0, told);
  }
  return { before, after: line.text.slice(at + 1).trim() };
}

/** A tally in a row of text: "Firepower 4 = 5 MG, −1 degraded sight". */
export function tallyText(tally: TallyView): string {
  const base = [plain(tally.base), tally.source].filter(Boolean).join(' ');
  const lines = tally.lines.map((line) => `${signed(line.amount)} ${line.text || kindWords(line.id)}`);
  return `${tally.what} ${plain(tally.total)} = ${[base, ...lines].join(', ')}`;
}

/** The whole log as text, to be pasted elsewhere. */
export function logText(groups: readonly Group[]): string {
  const out: string[] = [];
  for (const group of groups) {
    if (group.heading !== null) out.push(...(out.length ? [''] : []), `== ${group.heading} ==`);
    for (const { line } of group.entries) {
      const side = line.side ? `${sideName(line.side)}: ` : '';
      const chance = line.chance ? ` (chance ${percent(line.chance)})` : '';
      const rules = line.rules.length ? ` [${line.rules.join(', ')}]` : '';
      out.push(`${side}${line.text}${chance}${rules}`);
      for (const tally of line.tallies) out.push(`    ${tallyText(tally)}`);
    }
  }
  return out.join('\n') + (out.length ? '\n' : '');
}
