/** Poses: where a unit goes on a table, as an answer and as a layout. In hundredths of the board's measure; no rules. */
import type { Form, ModelPose } from './types';

export interface Pose {
  x: number;
  y: number;
  /** Whole degrees clockwise from up. */
  heading: number;
  form: string;
  /** The models set by hand. */
  byHand: readonly (readonly [string, number, number])[];
}

const LENGTH = /^-?\d{1,4}(?:\.\d{1,2})?$/;
const BY_HAND = /^([\w.-]{1,40})@(-?[\d.]+),(-?[\d.]+)$/;

/** Hundredths as people write a length: 1250 is "12.5". */
export function lengthText(hundredths: number): string {
  const whole = Math.round(hundredths);
  return String(whole / 100 === 0 ? 0 : whole / 100);
}

/** A length as people write it, in hundredths; NaN if it is none. */
function hundredths(text: string): number {
  return LENGTH.test(text) ? Math.round(Number(text) * 100) : NaN;
}

/** The answer that a pose is. */
export function poseKey(pose: Pose, verb: string): string {
  const words = [verb, lengthText(pose.x), lengthText(pose.y), String(pose.heading)];
  if (pose.form) words.push(pose.form);
  for (const [id, x, y] of pose.byHand) words.push(`${id}@${lengthText(x)},${lengthText(y)}`);
  return words.join(' ');
}

/** The pose that an answer with this verb is; null if it is none. */
export function readPose(key: string, verb: string): Pose | null {
  const [first, x = '', y = '', heading = '', ...rest] = key.split(' ');
  if (first !== verb || !/^\d{1,3}$/.test(heading) || Number(heading) > 359) return null;
  const pose = { x: hundredths(x), y: hundredths(y), heading: Number(heading), form: '', byHand: [] as [string, number, number][] };
  if (Number.isNaN(pose.x + pose.y)) return null;
  for (const [at, word] of rest.entries()) {
    const model = BY_HAND.exec(word);
    if (model) pose.byHand.push([model[1]!, hundredths(model[2]!), hundredths(model[3]!)]);
    else if (at === 0 && /^[a-z_]{1,20}$/.test(word)) pose.form = word;
    else return null;
  }
  return pose.byHand.some(([, a, b]) => Number.isNaN(a + b)) ? null : pose;
}

/** A point turned about the origin, clockwise on the sheet. */
export function turned(x: number, y: number, degrees: number): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [x * cos - y * sin, x * sin + y * cos];
}

/** Where the models of a form would stand at a pose, before the game has had its say. */
export function layOut(form: Form | undefined, pose: Pose): ModelPose[] {
  const byHand = new Map(pose.byHand.map(([id, x, y]) => [id, [x, y] as const]));
  return (form?.models ?? []).map(([id, dx, dy]) => {
    const set = byHand.get(id);
    const [x, y] = form!.turns ? turned(dx, dy, pose.heading) : [dx, dy];
    const at = set ?? [Math.round(pose.x + x), Math.round(pose.y + y)];
    return { id, x: at[0]!, y: at[1]!, heading: pose.heading, path: [] };
  });
}

/** A heading as whole degrees from 0 to 359. */
export function wholeDegrees(degrees: number): number {
  return ((Math.round(degrees) % 360) + 360) % 360;
}

/** The allowed heading nearest to one; any will do where none are named. */
export function allowedHeading(degrees: number, headings: readonly number[]): number {
  const wanted = wholeDegrees(degrees);
  if (!headings.length) return wanted;
  const off = (heading: number): number => Math.abs(((heading - wanted + 540) % 360) - 180);
  return headings.reduce((best, heading) => (off(heading) < off(best) ? heading : best));
}

/** The next heading clockwise (or back): the next of the few, or so many degrees further. */
export function nextHeading(degrees: number, by: number, headings: readonly number[]): number {
  if (!headings.length) return wholeDegrees(degrees + by);
  const ring = [...headings].sort((a, b) => a - b);
  const at = ring.indexOf(allowedHeading(degrees, ring));
  return ring[(at + (by < 0 ? ring.length - 1 : 1)) % ring.length]!;
}
