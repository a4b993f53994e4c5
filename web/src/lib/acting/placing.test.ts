import { flushSync } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Placing } from './placing.svelte';
import { tableAsk, tablePreview, tableUnits } from '../../../test/small-table';
import type { PreviewView } from '../types';

afterEach(() => vi.useRealTimers());

function lifted(more: Record<string, unknown> = {}, say: (key: string, area: boolean) => Promise<PreviewView> = (key) => Promise.resolve(tablePreview(key))) {
  const asked: string[] = [];
  const ask = tableAsk(more);
  const placing = new Placing(ask.area!, ask.seq, ask.options, tableUnits()[0]!.models, (key, area) => {
    asked.push(`${key}${area ? ' +area' : ''}`);
    return say(key, area);
  });
  return { placing, asked };
}

/** Until what was asked for has come. */
const settle = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(500);
  flushSync();
};

describe('a unit in the hand', () => {
  it('begins where it stands, with the good places among the options', () => {
    const { placing } = lifted();
    expect(placing.key).toBe('pose 20 25 0 line');
    expect(placing.touched).toBe(false);
    expect(placing.spots.map((spot) => spot.option.label)).toEqual(['To the hedge', 'Along the lane']);
    expect(placing.models.map(({ id, x, y, radius, short }) => [id, x, y, radius, short])).toEqual([
      ['m1', 17.75, 25, 0.5, 'LMG'],
      ['m2', 19.25, 25, 0.5, ''],
      ['m3', 20.75, 25, 0.5, ''],
      ['m4', 22.25, 25, 0.5, ''],
    ]);
  });

  it('follows the hand at once, and the game as soon as it has spoken', async () => {
    vi.useFakeTimers();
    const { placing, asked } = lifted();
    placing.moveTo(18, 22);
    expect(placing.models[0]).toMatchObject({ x: 15.75, y: 22 });
    expect([placing.legal, placing.settled]).toEqual([true, false]);
    await settle();
    expect(asked).toEqual(['pose 18 22 0 line']);
    expect(placing.settled).toBe(true);
    expect(placing.words).toBe('4″ of 6″');
    expect(placing.models[0]).toMatchObject({ x: 16, y: 22 });
    // The game's layout goes along until it speaks again.
    placing.nudge(1, 0);
    expect(placing.models[0]).toMatchObject({ x: 17, y: 22 });
    expect(placing.settled).toBe(false);
  });

  it('asks one preview at a time, and the newest wins', async () => {
    vi.useFakeTimers();
    const answers: ((found: PreviewView) => void)[] = [];
    const keys: string[] = [];
    const { placing } = lifted({}, (key) => {
      keys.push(key);
      return new Promise((done) => answers.push(done));
    });
    placing.moveTo(18, 22);
    placing.moveTo(17, 22);
    placing.moveTo(16, 22);
    await settle();
    expect(keys).toEqual(['pose 18 22 0 line']);
    answers[0]!(tablePreview(keys[0]!));
    await settle();
    expect(keys).toEqual(['pose 18 22 0 line', 'pose 16 22 0 line']);
    expect(placing.settled).toBe(false);
    answers[1]!(tablePreview(keys[1]!));
    await settle();
    expect(placing.settled).toBe(true);
  });

  it('says why it is refused', async () => {
    vi.useFakeTimers();
    const { placing } = lifted();
    placing.moveTo(40, 22);
    expect([placing.legal, placing.words]).toEqual([false, 'outside the marked area']);
    await settle();
    expect([placing.legal, placing.words]).toEqual([false, 'too far']);
    expect(placing.told).toContain('Not allowed: too far');
    placing.toNearest();
    expect(placing.pose.x).toBe(2597);
  });

  it('snaps to the edge when it is let go beside it, and only then', () => {
    const { placing } = lifted();
    placing.moveTo(26.5, 25);
    placing.drop();
    expect(placing.pose.x).toBe(2597);
    placing.moveTo(30, 25);
    placing.drop();
    expect(placing.pose.x).toBe(3000);
  });

  it('turns, and fetches the area of another heading or form once', async () => {
    vi.useFakeTimers();
    const { placing, asked } = lifted();
    placing.turn(15);
    await settle();
    placing.turn(-15);
    await settle();
    placing.nextForm();
    await settle();
    placing.head(93.4);
    await settle();
    expect(asked).toEqual(['pose 20 25 15 line +area', 'pose 20 25 0 line', 'pose 20 25 0 column +area', 'pose 20 25 93 column +area']);
    placing.take('line');
    placing.nextForm();
    expect(placing.pose.form).toBe('column');
  });

  it('takes the form that keeps a heading, where it is one thing that has been turned', async () => {
    vi.useFakeTimers();
    const forms = [
      { name: 'drive', title: 'Along its way', models: [['hull', 0, 0]] },
      { name: 'face', title: 'And turn there', models: [['hull', 0, 0]] },
    ];
    const drive = (key: string): Promise<PreviewView> => {
      const [, x = '0', y = '0', heading = '0', form] = key.split(' ');
      const looks = form === 'face' ? Number(heading) : 70;
      return Promise.resolve({ ...tablePreview(key), models: [{ id: 'hull', x: Number(x) * 100, y: Number(y) * 100, heading: looks, path: [] }] });
    };
    const { placing } = lifted({ forms, start: 'pose 20 25 0 drive' }, drive);
    placing.moveTo(22, 22);
    await settle();
    expect([placing.heading, placing.pose.form]).toEqual([70, 'drive']);
    placing.turn(15);
    await settle();
    expect([placing.heading, placing.key]).toEqual([85, 'pose 22 22 85 face']);
  });

  it('turns only to the headings that there are', () => {
    const { placing } = lifted({ headings: [0, 90] });
    placing.turn(15);
    expect(placing.pose.heading).toBe(90);
    placing.head(10);
    expect(placing.pose.heading).toBe(0);
    expect(placing.turns).toBe(true);
    expect(lifted({ headings: [0] }).placing.turns).toBe(false);
  });

  it('looks at a point where it can do nothing but turn', () => {
    const { placing } = lifted({ polygons: [[[[1998, 2498], [2002, 2498], [2002, 2502], [1998, 2502]]]] });
    expect(placing.pivots).toBe(true);
    placing.lookAt(30, 25);
    expect(placing.key).toBe('pose 20 25 90 line');
    expect(lifted().placing.pivots).toBe(false);
  });

  it('takes models set by hand along', () => {
    const { placing } = lifted();
    placing.setModel('m2', 20, 23);
    expect(placing.key).toBe('pose 20 25 0 line m2@20,23');
    placing.moveTo(21, 25);
    expect(placing.key).toBe('pose 21 25 0 line m2@21,23');
    placing.head(90);
    expect(placing.key).toBe('pose 21 25 90 line m2@23,25');
    expect(placing.models.find((model) => model.id === 'm2')).toMatchObject({ x: 23, y: 25, byHand: true });
    placing.take('column');
    expect(placing.pose.byHand).toEqual([]);
  });

  it('turns a model set by hand, and its turret, each by itself', async () => {
    vi.useFakeTimers();
    const tank = { ...tableUnits()[2]!.models[0]!, id: 'm2', turret: 180, look: 'tank' };
    const ask = tableAsk();
    const placing = new Placing(ask.area!, ask.seq, ask.options, [tank], (key) => Promise.resolve({ ...tablePreview(key), outline: [[[1900, 2400], [2100, 2400], [2100, 2600]]] }));
    expect(placing.models.find(({ id }) => id === 'm2')!.turret).toBe(0);
    placing.single = true;
    expect(placing.knobs).toBeNull();
    placing.setModel('m2', 20, 23);
    placing.turnTurret('m2', 135);
    expect(placing.key).toBe('pose 20 25 0 line m2@20,23,0,135');
    placing.turnModel('m2', 90);
    expect(placing.key).toBe('pose 20 25 0 line m2@20,23,90,135');
    expect(placing.knobs).toMatchObject({ id: 'm2', heading: 90, turret: 135 });
    placing.head(90);
    expect(placing.key).toBe('pose 20 25 90 line m2@22,25,180,225');
    await settle();
    expect(placing.outline[0]![0]![0]).toEqual([1900, 2400]);
    placing.moveTo(21, 25);
    expect(placing.outline[0]![0]![0]).toEqual([2000, 2400]);
  });

  it('is put back', () => {
    const { placing } = lifted();
    placing.choose(placing.spots[1]!.pose);
    expect(placing.key).toBe('pose 16 22 270 column');
    placing.reset();
    expect([placing.key, placing.touched]).toEqual(['pose 20 25 0 line', false]);
  });

  it('stands for itself where a form tells no models', () => {
    const { placing } = lifted({ forms: [{ name: 'one', title: 'One' }] });
    expect(placing.models).toHaveLength(1);
    expect(placing.models[0]).toMatchObject({ id: 'b1', x: 20, y: 25 });
  });

  it('tells of trouble, and goes on', async () => {
    vi.useFakeTimers();
    let fail = true;
    const { placing } = lifted({}, (key) => (fail ? Promise.reject(new Error('no line')) : Promise.resolve(tablePreview(key))));
    placing.moveTo(18, 22);
    await settle();
    expect(placing.words).toBe('no line');
    fail = false;
    placing.nudge(0, 1);
    await settle();
    expect(placing.words).toBe('4″ of 6″');
    placing.stop();
    placing.nudge(0, 1);
    await settle();
    expect(placing.settled).toBe(false);
  });
});
