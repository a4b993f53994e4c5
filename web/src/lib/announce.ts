/** The lines of a step as one announcement: no more than can be listened to. */
import type { LogLine } from './types';

const MOST = 5;

export function announcement(lines: readonly LogLine[]): string {
  const told = lines.map((line) => line.text.trim()).filter(Boolean);
  const shown = told.slice(-MOST).map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`));
  return told.length > MOST ? `${told.length - MOST} more lines in the log. ${shown.join(' ')}` : shown.join(' ');
}
