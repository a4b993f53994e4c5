/** The unit in the hand: on a table a question may take any pose, and the unit that it is about is dragged to one. */
import { isUnder, type Body, type Polygons } from '../bodies';
import type { Acting } from './acting.svelte';
import type { Answers } from './answers';
import type { Hand } from '../hand';
import { inchOf, placeText } from '../lengths';
import type { Ghost } from '../layers';
import { Placing } from './placing.svelte';
import { lengthText, readPose } from '../pose';
import type { PreviewView } from '../types';

/** How long it takes until a page that was just opened has its map, in milliseconds. */
const FRAMED = 350;

/** What lasts as long as the hand moves. */
const DRAGS: ReadonlySet<Hand['what']> = new Set(['move', 'model', 'model-head', 'turret', 'head'] as const);

export class PlacingUnit {
  private readonly acting: Acting;
  private readonly answers: Answers;
  /** Does what a marked thing at a point means, if there is one outside of the area. */
  private readonly meansMark: (x: number, y: number) => boolean;
  /** The unit that is being put somewhere, where the question takes any pose. */
  placing = $state.raw<Placing | null>(null);
  /** Whether it moves right now: what is told of every step would never end. */
  dragging = false;
  private toFrame: ReturnType<typeof setTimeout> | undefined;

  constructor(acting: Acting, answers: Answers, meansMark: (x: number, y: number) => boolean) {
    this.acting = acting;
    this.answers = answers;
    this.meansMark = meansMark;
  }

  /** What was done with the ghost on the board. */
  does = (hand: Hand): void => {
    const { acting, placing } = this;
    if (!placing || acting.table.tool === 'tape') return;
    this.dragging = DRAGS.has(hand.what);
    if (hand.what !== 'confirm') acting.dismiss();
    if (hand.what === 'move' && placing.pivots) placing.lookAt(hand.x, hand.y);
    else if (hand.what === 'move') placing.moveTo(hand.x, hand.y);
    else if (hand.what === 'model') placing.setModel(hand.model, hand.x, hand.y);
    else if (hand.what === 'model-head') placing.turnModel(hand.model, hand.degrees);
    else if (hand.what === 'turret') placing.turnTurret(hand.model, hand.degrees);
    else if (hand.what === 'head') placing.head(hand.degrees);
    else if (hand.what === 'turn') placing.turn(hand.by);
    else if (hand.what === 'drop') this.drop(placing);
    else if (hand.what === 'confirm') acting.confirm();
    else {
      const pose = readPose(hand.key, placing.area.verb);
      if (pose) placing.choose(pose);
    }
  };

  /** It was let go: on a marked thing outside of its area that is meant, and the unit stays where it is until then. */
  private drop(placing: Placing): void {
    if (placing.pose.byHand.length || !this.meansMark(placing.pose.x / 100, placing.pose.y / 100)) placing.drop();
    else placing.reset();
  }

  /** A click on the ground: the unit goes there, or looks there when it can only turn. */
  putAt(x: number, y: number): void {
    const { acting, placing } = this;
    acting.dismiss();
    if (placing?.pivots) placing.lookAt(x, y);
    else {
      placing?.moveTo(x, y);
      placing?.drop();
    }
  }

  /** Answer with the pose as it is; what the game has refused already is not sent. */
  async confirm(): Promise<void> {
    const { acting, placing } = this;
    if (!placing?.touched || acting.table.busy || !acting.table.ask) return;
    if (!placing.legal) {
      acting.tell(`Not there: ${placing.words}.`);
      return;
    }
    this.answers.begins();
    acting.guide?.note(placing.area.verb);
    await acting.table.answer(placing.key);
  }

  /** Take up the unit of a new question, if it wants a pose, and bring its area near where the screen is small. */
  lift(): void {
    this.stop();
    const { table, homes, page } = this.acting;
    const { ask } = table;
    this.placing = null;
    this.dragging = false;
    if (!ask?.area) return;
    const unit = homes.get(ask.area.unit);
    const look = (key: string, area: boolean): Promise<PreviewView> => table.preview(key, area);
    this.placing = new Placing(ask.area, ask.seq, ask.options, unit?.models ?? [], look, Boolean(unit?.place), inchOf(table.battle.board.measure));
    this.placing.look();
    const points = this.placing.polygons.flatMap((rings) => rings[0] ?? []);
    if (!points.length) return;
    const xs = [...points.map(([x]) => x / 100), this.placing.pose.x / 100];
    const ys = [...points.map(([, y]) => y / 100), this.placing.pose.y / 100];
    const box = [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] as const;
    this.toFrame = setTimeout(() => page.frame?.(...box), FRAMED);
  }

  /** Nobody looks any more. */
  stop(): void {
    this.placing?.stop();
    clearTimeout(this.toFrame);
  }

  /** What can be done with it now, in a few words. */
  get hint(): string {
    const { placing } = this;
    if (!placing) return '';
    const target = [...this.acting.marks.units.keys()].some((id) => id !== placing.area.unit) ? ', or a target' : '';
    if (!placing.touched && placing.outline.length) return 'drag the template or click where it goes';
    if (!placing.touched) return placing.pivots ? `click where it should face${target}` : `drag the unit or click in the marked area${target}`;
    return placing.legal ? 'Enter or a double click confirms' : `not there: ${placing.words}`;
  }

  /** The bases under a template. */
  private under(outline: Polygons): Body[] {
    if (!outline.length) return [];
    const scaled = outline.map((rings) => rings.map((ring) => ring.map(([x, y]) => [x / 100, y / 100] as const)));
    return this.acting.table.view.units.flatMap((unit) => (unit.place ? unit.models.filter((model) => isUnder(scaled, model)) : []));
  }

  /** As the board draws it. */
  get ghost(): Ghost | null {
    const { acting, placing } = this;
    if (!placing) return null;
    const { pose, key, area } = placing;
    const { board } = acting.table.battle;
    return {
      unit: area.unit,
      words: `${acting.nameOf(area.unit)}, in your hand: ${placing.told}`,
      x: pose.x / 100,
      y: pose.y / 100,
      heading: placing.heading,
      turns: placing.turns,
      legal: placing.legal,
      touched: placing.touched,
      single: placing.single,
      models: placing.models,
      knobs: placing.knobs,
      polygons: placing.polygons,
      outline: placing.outline,
      under: this.under(placing.outline),
      spots: placing.spots.map(({ option, pose: at }) => ({
        key: option.key,
        x: at.x / 100,
        y: at.y / 100,
        heading: at.heading,
        label: [option.label, option.cost].filter(Boolean).join(', ') || placeText(`${lengthText(at.x)},${lengthText(at.y)}`, board),
        chosen: option.key === key,
      })),
      label: placing.settled && placing.legal ? (placing.preview?.cost.split(',')[0] ?? '') : '',
    };
  }
}
