/**
 * A unit being put somewhere on a table: its pose, the ghost of its models, and what the game says to it. The ghost
 * follows the hand at once; the game's own preview follows as fast as it can be had, and the newest wins.
 */
import { nearestWithin, isWithin, type Polygons } from '../bodies';
import { ApiError } from '../api';
import { MODEL } from '../normalise-view';
import { allowedHeading, asSet, layOut, lengthText, nextHeading, poseKey, readPose, turned, wholeDegrees, type Pose, type SetModel } from '../pose';
import type { AreaView, Form, ModelPose, ModelView, Option, PreviewView } from '../types';

export type Previewer = (key: string, area: boolean) => Promise<PreviewView>;

/** The least time between two previews, in milliseconds. */
const EVERY = 70;
/** Who lets go so near to the edge of the area means a place within it, in hundredths of an inch. */
const SNAP = 100;
/** An area within so many hundredths of an inch of where the unit stands leaves it nothing but to turn. */
const POINT = 60;
/** How far R turns, in degrees. */
export const TURN = 15;

/** A model of the ghost, in units of the board. */
export interface GhostModel extends ModelView {
  path: readonly (readonly [number, number])[];
  byHand: boolean;
}

/** A pose among the options: a spot to click. */
export interface PoseSpot {
  option: Option;
  pose: Pose;
}

export class Placing {
  readonly area: AreaView;
  readonly seq: number;
  /** The poses among the options. */
  readonly spots: PoseSpot[];
  pose: Pose = $state.raw() as Pose;
  /** Whether anything was moved or turned: only then is there something to confirm. */
  touched = $state(false);
  /** Whether single models are dragged, not the unit. */
  single = $state(false);
  /** The model that was last set by hand: its knobs are shown. */
  grasped = $state('');
  /** What the game said last; `said` is the pose that it said it of. */
  preview: PreviewView | null = $state.raw(null);
  problem = $state('');
  private said: Pose | null = null;
  private readonly areas = new Map<string, Polygons>();
  private shownArea: Polygons = $state.raw([]);
  private readonly start: Pose;
  private readonly ask: Previewer;
  private readonly bases: ReadonlyMap<string, ModelView>;
  /** Whether it stands on the table already; one that does not can be confirmed where it begins. */
  private readonly standing: boolean;
  /** How many units of the board an inch is. */
  private readonly inch: number;
  /** It was turned by hand, and the form may have its own mind about the heading. */
  private turnedBy = false;
  private asking = false;
  private wanted = false;
  private stopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private askedAt = -Infinity;

  readonly key: string = $derived.by(() => poseKey(this.pose, this.area.verb));
  readonly form: Form | undefined = $derived.by(() => this.area.forms.find((form) => form.name === this.pose.form) ?? this.area.forms[0]);
  /** Whether what the game said is about the pose as it is. */
  readonly settled: boolean = $derived.by(() => this.preview !== null && this.preview.key === this.key);
  /** Whether the pose is legal, as far as is known: by the game's word, or until it comes by the area. */
  readonly legal: boolean = $derived.by(() => (this.settled ? this.preview!.legal : this.inArea));
  readonly models: GhostModel[] = $derived.by(() => this.ghost());

  constructor(area: AreaView, seq: number, options: readonly Option[], models: readonly ModelView[], ask: Previewer, standing = true, inch = 1) {
    this.area = area;
    this.seq = seq;
    this.ask = ask;
    this.standing = standing;
    this.inch = inch;
    this.touched = !standing;
    this.bases = new Map(models.map((model) => [model.id, model]));
    this.start = readPose(area.start, area.verb) ?? { x: 0, y: 0, heading: 0, form: '', byHand: [] };
    this.pose = this.start;
    this.spots = options.flatMap((option) => {
      const pose = option.verb === area.verb ? readPose(option.key, area.verb) : null;
      return pose ? [{ option, pose }] : [];
    });
    this.areas.set(this.areaName, area.polygons);
    this.shownArea = area.polygons;
  }

  /** Whether it can only turn where it stands: there is no area, or it is but a point. */
  get pivots(): boolean {
    const points = this.shownArea.flatMap((rings) => rings[0] ?? []);
    return this.turns && this.standing && points.every(([x, y]) => Math.max(Math.abs(x - this.start.x), Math.abs(y - this.start.y)) <= POINT * this.inch);
  }

  /** The area for the form and heading, or while that is not known the last that was. */
  get polygons(): Polygons {
    return this.shownArea;
  }

  private get areaName(): string {
    return `${this.pose.form || this.area.forms[0]?.name || ''} ${this.pose.heading}`;
  }

  private get inArea(): boolean {
    return isWithin(this.shownArea, this.pose.x, this.pose.y);
  }

  /** Whether a point lies in the area, in units of the board. */
  covers(x: number, y: number): boolean {
    return isWithin(this.shownArea, x * 100, y * 100);
  }

  /** What the pose costs, or why it is refused, in words. */
  get words(): string {
    if (this.problem) return this.problem;
    if (!this.settled || !this.preview) return this.legal ? '' : 'outside the marked area';
    const { legal, bar, cost } = this.preview;
    return legal ? cost : (bar?.reason ?? 'not allowed');
  }

  /** The pose for people who do not see the map. */
  get told(): string {
    const { x, y, heading } = this.pose;
    const form = this.area.forms.length > 1 ? `, ${this.form?.title ?? ''}` : '';
    return `${lengthText(x)} across, ${lengthText(y)} down, heading ${heading}${form}. ${this.legal ? (this.words || 'allowed') : `Not allowed: ${this.words}`}.`;
  }

  /** The models that the ghost is drawn with: as the game laid them out, moved along, or else as the form has them. */
  private ghost(): GhostModel[] {
    const { pose, preview, said } = this;
    const set = new Map(pose.byHand.map((each) => [each.id, each]));
    let laid: ModelPose[];
    if (preview?.models.length && said && said.form === pose.form && said.heading === pose.heading) {
      const [dx, dy] = [pose.x - said.x, pose.y - said.y];
      const still = dx === 0 && dy === 0;
      laid = preview.models.map((model) => {
        const moved = still ? model : { ...model, x: model.x + dx, y: model.y + dy, path: [] };
        return asSet(moved, set.get(model.id));
      });
    } else laid = layOut(this.form, pose);
    // A form that tells no models is one thing at its place.
    if (!laid.length) laid = [{ id: this.area.unit, x: pose.x, y: pose.y, heading: pose.heading, path: [] }];
    const only = this.bases.size === 1 ? [...this.bases.values()][0] : undefined;
    return laid.map((model) => {
      const base = this.bases.get(model.id) ?? only;
      return {
        ...(base ?? { ...MODEL, radius: 0.5 }),
        id: model.id,
        x: model.x / 100,
        y: model.y / 100,
        heading: model.heading,
        turret: turretOf(base, model.heading, set.get(model.id)),
        path: model.path.map(([x, y]): [number, number] => [x / 100, y / 100]),
        byHand: set.has(model.id),
      };
    });
  }

  // ---- moving it ----------------------------------------------------------------------------------------

  private put(change: Partial<Pose>): void {
    this.pose = { ...this.pose, ...change };
    this.touched = true;
    const known = this.areas.get(this.areaName);
    if (known) this.shownArea = known;
    this.look();
  }

  /** Put the unit at a point, in units of the board; models set by hand go along. */
  moveTo(x: number, y: number): void {
    const to = { x: Math.round(x * 100), y: Math.round(y * 100) };
    const [dx, dy] = [to.x - this.pose.x, to.y - this.pose.y];
    if (!dx && !dy && this.touched) return;
    this.put({ ...to, byHand: this.pose.byHand.map((set) => ({ ...set, x: set.x + dx, y: set.y + dy })) });
  }

  /** Look at a point, in units of the board. */
  lookAt(x: number, y: number): void {
    this.head((Math.atan2(x * 100 - this.pose.x, this.pose.y - y * 100) * 180) / Math.PI);
  }

  nudge(dx: number, dy: number): void {
    this.moveTo(this.pose.x / 100 + dx, this.pose.y / 100 + dy);
  }

  /** It was let go: who missed the area by a little means its edge. */
  drop(): void {
    if (this.pose.byHand.length || this.inArea) return;
    const near = nearestWithin(this.shownArea, this.pose.x, this.pose.y);
    if (near && Math.hypot(near.x - this.pose.x, near.y - this.pose.y) <= SNAP * this.inch) this.moveTo(near.x / 100, near.y / 100);
  }

  /** Put it at the nearest point of the area. */
  toNearest(): void {
    const near = nearestWithin(this.shownArea, this.pose.x, this.pose.y);
    if (near) this.moveTo(near.x / 100, near.y / 100);
  }

  /** Turn by a step, or to the next heading that is allowed. */
  turn(by: number): void {
    this.head(nextHeading(this.heading, by, this.area.headings));
  }

  /** Turn to a heading, or the nearest that is allowed; models set by hand turn along. */
  head(degrees: number): void {
    const heading = allowedHeading(degrees, this.area.headings);
    const by = heading - this.pose.heading;
    if (!by) return;
    this.turnedBy = true;
    const along = (degrees: number): number => (degrees < 0 ? degrees : wholeDegrees(degrees + by));
    const byHand = this.pose.byHand.map((set) => {
      const [dx, dy] = turned(set.x - this.pose.x, set.y - this.pose.y, by);
      return { ...set, x: Math.round(this.pose.x + dx), y: Math.round(this.pose.y + dy), heading: along(set.heading), turret: along(set.turret) };
    });
    this.put({ heading, byHand });
  }

  /** The heading that it would have: that of a single thing is the game's to say. */
  get heading(): number {
    const [only, second] = this.models;
    return only && !second && this.settled ? only.heading : this.pose.heading;
  }

  /** Whether there is a choice of headings at all. */
  get turns(): boolean {
    return this.area.headings.length !== 1;
  }

  nextForm(): void {
    const { forms } = this.area;
    const at = forms.findIndex((form) => form.name === this.form?.name);
    const next = forms[(at + 1) % Math.max(1, forms.length)];
    if (next && forms.length > 1) this.take(next.name);
  }

  /** Take a form; what was set by hand is laid out anew. */
  take(form: string): void {
    if (form !== this.pose.form) this.put({ form, byHand: [] });
  }

  /** Set one model by hand, at a point in units of the board. */
  setModel(id: string, x: number, y: number): void {
    this.set(id, { x: Math.round(x * 100), y: Math.round(y * 100) });
  }

  /** Turn one model by hand, by itself. */
  turnModel(id: string, degrees: number): void {
    this.set(id, { heading: wholeDegrees(degrees) });
  }

  /** Turn the turret of one model; what has a turret of its own has a heading of its own. */
  turnTurret(id: string, degrees: number): void {
    const { heading } = this.models.find((model) => model.id === id) ?? this.pose;
    this.set(id, { heading, turret: wholeDegrees(degrees) });
  }

  private set(id: string, change: Partial<SetModel>): void {
    const model = this.models.find((each) => each.id === id);
    if (!model) return;
    this.grasped = id;
    const before = this.pose.byHand.find((each) => each.id === id) ?? { id, x: Math.round(model.x * 100), y: Math.round(model.y * 100), heading: -1, turret: -1 };
    this.put({ byHand: [...this.pose.byHand.filter((each) => each.id !== id), { ...before, ...change }] });
  }

  /** The model with knobs of its own: the last that was set by hand, where it is one that turns by itself. */
  get knobs(): GhostModel | null {
    const model = this.single ? this.models.find(({ id, byHand }) => id === this.grasped && byHand) : undefined;
    return model && (model.turret >= 0 || (model.look !== '' && model.length > 0)) ? model : null;
  }

  /** Whether something is laid on the table, such as a template, and no model of the unit goes anywhere. */
  get lays(): boolean {
    return !this.area.forms.some((form) => form.models.some(([id]) => this.bases.has(id)));
  }

  /** What a template would cover, in hundredths; it moves and turns along until the game has said more. */
  get outline(): Polygons {
    const { preview, said, pose } = this;
    if (!preview?.outline.length || !said) return [];
    const along = ([x, y]: readonly [number, number]): [number, number] => {
      const [dx, dy] = turned(x - said.x, y - said.y, pose.heading - said.heading);
      return [pose.x + dx, pose.y + dy];
    };
    return [preview.outline.map((ring) => ring.map(along))];
  }

  /** Take a pose as it is, such as one of the options. */
  choose(pose: Pose): void {
    this.put(pose);
  }

  /** Put it back to where it began. */
  reset(): void {
    this.pose = this.start;
    this.touched = !this.standing;
    this.problem = '';
    this.shownArea = this.areas.get(this.areaName) ?? this.area.polygons;
    this.look();
  }

  // ---- what the game says -------------------------------------------------------------------------------

  /** Ask for a preview of the pose as it is; one at a time, and not too often. */
  look(): void {
    this.wanted = true;
    if (this.asking || this.stopped) return;
    clearTimeout(this.timer);
    const wait = this.askedAt + EVERY - performance.now();
    if (wait > 0) this.timer = setTimeout(() => void this.fetch(), wait);
    else void this.fetch();
  }

  private async fetch(): Promise<void> {
    if (this.asking || this.stopped) return;
    this.asking = true;
    this.wanted = false;
    this.askedAt = performance.now();
    const { pose, areaName } = this;
    const area = !this.areas.has(areaName);
    try {
      const found = await this.ask(poseKey(pose, this.area.verb), area);
      if (this.stopped) return;
      this.problem = '';
      if (area) {
        if (this.areas.size > 400) this.areas.clear();
        this.areas.set(areaName, found.polygons);
        if (this.areaName === areaName) this.shownArea = found.polygons;
      }
      this.said = pose;
      this.preview = found;
      this.obey();
    } catch (error) {
      // Without a preview one can still answer; the game has the last word anyway. A question that is gone says nothing.
      if (this.stopped || (error instanceof ApiError && error.status === 409)) return;
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.asking = false;
      if (this.wanted) this.look();
    }
  }

  /** One thing that was turned, in a form that does not keep its heading, takes the next form: that may. */
  private obey(): void {
    const { forms } = this.area;
    const [only, second] = this.preview?.models ?? [];
    if (!this.turnedBy || !this.settled || !only || second) return;
    this.turnedBy = false;
    if (only.heading !== this.pose.heading && forms.length > 1 && this.form === forms[0]) this.take(forms[1]!.name);
  }

  /** Nobody looks any more. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}

/** Where a turret would look: as it was set by hand, or ahead; -1 where there is none. */
function turretOf(base: ModelView | undefined, heading: number, set: SetModel | undefined): number {
  if (!base || base.turret < 0) return -1;
  return set && set.turret >= 0 ? set.turret : heading;
}
