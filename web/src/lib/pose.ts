/** Poses: where a unit goes on a table, as an answer and as a layout. In hundredths of the board's measure; no rules. */
import type { Form, ModelPose } from './types';

export interface Pose {
  x: number;
  y: number;
  /** Whole degrees clockwise from up. */
  heading: number;
  form: string;
  byHand: readonly SetModel[];
}

/** A model set by hand; a heading of -1 is the pose's, a turret of -1 looks ahead. Only one with a heading has a turret. */
export interface SetModel {
  id: string;
  x: number;
  y: number;
  heading: number;
  turret: number;
}

const LENGTH = /^-?\d{1,4}(?:\.\d{1,2})?$/;
const BY_HAND = /^([\w.-]{1,40})@(-?[\d.]+),(-?[\d.]+)(?:,(\d{1,3})(?:,(\d{1,3}))?)?$/;

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
  for (const { id, x, y, heading, turret } of pose.byHand) {
    const headings = heading < 0 ? [] : [heading, turret].filter((degrees) => degrees >= 0);
    words.push(`${id}@${[lengthText(x), lengthText(y), ...headings].join(',')}`);
  }
  return words.join(' ');
}

/** The pose that an answer with this verb is; null if it is none. */
export function readPose(key: string, verb: string): Pose | null {
  const [first, x = '', y = '', heading = '', ...rest] = key.split(' ');
  if (first !== verb || !/^\d{1,3}$/.test(heading) || Number(heading) > 359) return null;
  const pose = { x: hundredths(x), y: hundredths(y), heading: Number(heading), form: '', byHand: [] as SetModel[] };
  if (Number.isNaN(pose.x + pose.y)) return null;
  for (const [at, word] of rest.entries()) {
    const model = BY_HAND.exec(word);
    if (model) pose.byHand.push({ id: model[1]!, x: hundredths(model[2]!), y: hundredths(model[3]!), heading: Number(model[4] ?? -1), turret: Number(model[5] ?? -1) });
    else if (at === 0 && /^[a-z_]{1,20}$/.test(word)) pose.form = word;
    else return null;
  }
  return pose.byHand.some(({ x, y, heading, turret }) => Number.isNaN(x + y) || Math.max(heading, turret) > 359) ? null : pose;
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
  const byHand = new Map(pose.byHand.map((set) => [set.id, set]));
  return (form?.models ?? []).map(([id, dx, dy]) => {
    const [x, y] = form!.turns ? turned(dx, dy, pose.heading) : [dx, dy];
    const laid = { id, x: Math.round(pose.x + x), y: Math.round(pose.y + y), heading: pose.heading, path: [] };
    return asSet(laid, byHand.get(id));
  });
}

/** A model as the form has it, or where and how it was set by hand. */
export function asSet(model: ModelPose, set: SetModel | undefined): ModelPose {
  return set ? { ...model, x: set.x, y: set.y, heading: set.heading < 0 ? model.heading : set.heading } : model;
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
