/** Values of options as people read them, and how their bars are drawn. */
import type { Weighed } from '../../lib/types';

/** A worth in hundredths of a battle, with its sign. */
export function signed(worth: number): string {
  const rounded = Math.abs(worth) < 10 ? Math.round(worth * 10) / 10 : Math.round(worth);
  if (rounded === 0) return '0';
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`;
}

/** What the worths of options mean: where the best is worth nothing, they are measured by it. */
export function scaleWords([best]: readonly Pick<Weighed, 'worth'>[]): string {
  if (!best) return '';
  return signed(best.worth) === '0' ? 'How much worse than the best option (100 = the whole battle).' : 'What each option is worth, best first (100 = the whole battle).';
}

/** Whether a worth is told as a loss: so little that it is told as nothing is none. */
export function isLoss(worth: number): boolean {
  return signed(worth).startsWith('−');
}

/** What speaks most for an option, or against it, in a line. */
export function mainReason({ reasons }: Pick<Weighed, 'reasons'>): string {
  return reasons.reduce((main, reason) => (Math.abs(reason.worth) > Math.abs(main.worth) ? reason : main), { text: '', worth: 0 }).text;
}

export interface Bar {
  /** From the left, and how wide, both in hundredths of the room. */
  left: number;
  width: number;
  loses: boolean;
}

/** The room of all bars stands for so many hundredths of a battle at least: what hardly differs shall not look as if it did. */
const ROOM = 3;

/** Bars from a common zero: what gains goes to the right, what loses to the left. */
export function barsOf(options: readonly Pick<Weighed, 'worth'>[]): Bar[] {
  let low = Math.min(0, ...options.map(({ worth }) => worth));
  const high = Math.max(0, ...options.map(({ worth }) => worth));
  const room = Math.max(high - low, ROOM);
  // Where most of it is lost the zero stays on the right.
  if (-low > high) low = high - room;
  const at = (worth: number): number => ((worth - low) / room) * 100;
  return options.map(({ worth }) => ({
    left: Math.min(at(0), at(worth)),
    width: Math.max(1, Math.abs(at(worth) - at(0))),
    loses: isLoss(worth),
  }));
}

/** How a battle stands, from -1 (lost) to 1 (won), in words. */
export function standingWords(standing: number): string {
  const much = Math.abs(standing);
  if (much < 0.06) return 'even';
  const how = much < 0.2 ? 'a little' : much < 0.5 ? 'clearly' : 'far';
  return `${how} ${standing > 0 ? 'ahead' : 'behind'}`;
}

/** How long it thought, and how often it played on in thought. */
export function effortWords(seconds: number, looked: number): string {
  const time = seconds < 0.1 ? 'at once' : `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return looked ? `${time}, ${looked} playouts` : time;
}
