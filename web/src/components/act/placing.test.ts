import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Acting } from '../../lib/acting/acting.svelte';
import { tableAsk, tableBoard, tableUnits } from '../../../test/small-table';
import type { AskView, UnitView } from '../../lib/types';
import ActOverlay from './ActOverlay.svelte';
import OptionsPanel from './OptionsPanel.svelte';
import UndoBar from './UndoBar.svelte';
import { FakeStore, option, question } from '../../../test/fake-store.svelte';

// jsdom measures nothing.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

afterEach(cleanup);

const settled = async (): Promise<void> => {
  for (let at = 0; at < 8; at += 1) await tick();
  flushSync();
};

async function seat(ask: AskView = tableAsk(), units: UnitView[] = tableUnits(), host: ConstructorParameters<typeof Acting>[1] = {}) {
  const fake = new FakeStore(ask, units);
  fake.battle = { ...fake.battle, board: tableBoard() };
  const acting = new Acting(fake.table, host);
  render(ActOverlay, { props: { acting } });
  await settled();
  return { fake, acting };
}

/** Until the game has spoken of the pose as it is. */
const told = async (acting: Acting): Promise<void> => {
  await vi.waitFor(() => expect(acting.placing!.settled).toBe(true));
  await settled();
};

const press = (key: string, more: KeyboardEventInit = {}): Promise<boolean> => fireEvent.keyDown(document.body, { key, ...more });

describe('a question that takes any pose', () => {
  it('shows the area, good places, and how to go on', async () => {
    const { acting } = await seat();
    expect(acting.layers.ghost).toMatchObject({ unit: 'b1', x: 20, y: 25, touched: false, turns: true });
    expect(acting.layers.ghost!.spots.map((spot) => spot.label)).toEqual(['To the hedge, 5″', 'Along the lane, 5″']);
    expect(acting.layers.reach).toEqual([]);
    expect(acting.layers.targets.map((target) => target.unit)).toEqual(['r1']);
    expect(acting.prompt.hint).toBe('drag the unit or click in the marked area, or a target');
    expect(screen.getByRole('region', { name: 'Unit in your hand' }).textContent).toContain('Drag the unit');
  });

  it('takes a click in the area, and Enter confirms', async () => {
    const { fake, acting } = await seat();
    await press('Enter');
    expect(fake.sent).toEqual([]);
    acting.clicks.place('18,22');
    await told(acting);
    expect(acting.layers.ghost).toMatchObject({ x: 18, y: 22, touched: true, legal: true, label: '4″ of 6″' });
    expect(screen.getByText('In soft cover')).toBeTruthy();
    await press('Enter');
    expect(fake.sent).toEqual(['pose 18 22 0 line']);
  });

  it('is moved, turned and formed by keys', async () => {
    const { fake, acting } = await seat();
    await press('ArrowUp');
    await press('ArrowLeft', { shiftKey: true });
    await press('r');
    await press('R', { shiftKey: true });
    await press('r');
    await press('f');
    expect(acting.placing!.key).toBe('pose 19.75 24 15 column');
    await press('m');
    expect(acting.placing!.single).toBe(true);
    await press('Escape');
    expect(acting.placing!.single).toBe(false);
    await press('Escape');
    expect(acting.placing!.key).toBe('pose 20 25 0 line');
    await press('Enter');
    expect(fake.sent).toEqual([]);
  });

  it('is dragged, and single models with it', async () => {
    const { fake, acting } = await seat();
    acting.placingUnit.does({ what: 'move', x: 22, y: 24 });
    acting.placingUnit.does({ what: 'drop' });
    acting.placingUnit.does({ what: 'head', degrees: 45 });
    acting.placingUnit.does({ what: 'turn', by: -5 });
    acting.placingUnit.does({ what: 'model', model: 'm2', x: 21, y: 23 });
    await settled();
    acting.placingUnit.does({ what: 'confirm' });
    expect(fake.sent).toEqual(['pose 22 24 40 line m2@21,23']);
  });

  it('is not sent where the game refused it, and says why', async () => {
    const { fake, acting } = await seat();
    acting.placingUnit.does({ what: 'move', x: 40, y: 22 });
    await told(acting);
    expect(acting.layers.ghost!.legal).toBe(false);
    expect(acting.prompt.hint).toBe('not there: too far');
    expect(screen.getByRole('region', { name: 'Unit in your hand' }).textContent).toContain('too far');
    await press('Enter');
    expect(fake.sent).toEqual([]);
    expect(acting.messages.notice).toBe('Not there: too far.');
    await fireEvent.click(screen.getByRole('button', { name: 'Nearest legal spot' }));
    await vi.waitFor(() => expect(acting.placing!.legal).toBe(true));
    await fireEvent.click(screen.getByRole('button', { name: /Confirm/ }));
    expect(fake.sent).toEqual(['pose 25.97 22 0 line']);
  });

  it('has its good places in the list, and by a click on their spots', async () => {
    const { fake, acting } = await seat();
    render(OptionsPanel, { props: { acting } });
    await fireEvent.click(screen.getByRole('button', { name: /^Along the lane/ }));
    expect(acting.placing!.key).toBe('pose 16 22 270 column');
    acting.placingUnit.does({ what: 'spot', key: 'pose 20 20 0 line' });
    await settled();
    acting.confirm();
    expect(fake.sent).toEqual(['pose 20 20 0 line']);
  });

  it('leaves other answers: a target, and what is done on the spot', async () => {
    const { fake, acting } = await seat();
    acting.clicks.unit('b2');
    expect(acting.pending).toBeNull();
    acting.clicks.unit('r1');
    expect(acting.pending?.choices.map((choice) => choice.keys)).toEqual([['charge r1']]);
    acting.confirm();
    expect(fake.sent).toEqual(['charge r1']);
  });

  it('begins in the hand where the unit is not on the table yet', async () => {
    const units = tableUnits().map((unit) => (unit.id === 'b1' ? { ...unit, place: '', models: [] } : unit));
    const { fake, acting } = await seat(tableAsk(), units);
    expect(acting.layers.ghost!.touched).toBe(true);
    await press('Enter');
    expect(fake.sent).toEqual(['pose 20 25 0 line']);
  });

  it('has letters of its own, and T for the tape', async () => {
    const tape = vi.fn();
    const { fake, acting } = await seat(undefined, undefined, { tape });
    fake.battle = { ...fake.battle, verbs: [{ verb: 'charge', title: 'Run at', text: '', rule: '', letter: 'r', odds: true, idle: false }] };
    await press('t');
    expect(tape).toHaveBeenCalled();
    expect([...acting.letters.values()]).not.toContain('f');
  });
});

describe('a table without an area', () => {
  const which = question([option('unit b1', { verb: 'unit', unit: 'b1', place: '20,25' }), option('unit b2', { verb: 'unit', unit: 'b2', place: '36,28' })]);

  it('answers "which unit?" by the first click', async () => {
    const { fake, acting } = await seat(which);
    expect(acting.placing).toBeNull();
    acting.clicks.unit('b2');
    await settled();
    expect(fake.sent).toEqual(['unit b2']);
  });

  it('says of the selected unit what choosing it means', async () => {
    const { fake, acting } = await seat(which);
    render(UndoBar, { props: { acting } });
    fake.select('b1');
    await settled();
    screen.getByRole('button', { name: /^Choose First Squad/ });
    expect(acting.prompt.hint).toBe('confirm it, or choose another unit');
    const options = which.options.map((each) => ({ ...each, label: each.unit === 'b1' ? 'First Squad keeps its die' : 'Second Squad, 1 pin' }));
    fake.ask_({ ...which, options });
    fake.select('b1');
    await settled();
    await fireEvent.click(screen.getByRole('button', { name: /^First Squad keeps its die/ }));
    expect(fake.sent).toEqual(['unit b1']);
  });

  it('takes a click near a marked place for it, and one far away for nothing', async () => {
    const places = question([
      option('mark 10,10', { verb: 'mark', place: '10,10', label: 'Here' }),
      option('mark 30,10', { verb: 'mark', place: '30,10', label: 'There' }),
      option('done'),
    ], { quiet: false });
    const { fake, acting } = await seat(places);
    acting.clicks.place('20,10');
    expect(acting.pending).toBeNull();
    acting.clicks.place('29.2,10.6');
    expect(acting.pending?.spot.place).toBe('30,10');
    acting.confirm();
    expect(fake.sent).toEqual(['mark 30,10']);
    expect(acting.prompt.hint).toBe('click a marked place');
  });

  it('has a cursor that leaps from unit to unit', async () => {
    const { fake, acting } = await seat(which);
    await press('ArrowRight');
    expect(acting.pointer.cursor).toBe('20,25');
    await press('ArrowRight');
    expect(acting.pointer.cursor).toBe('36,28');
    expect(acting.messages.said).toContain('12″ from the right, 8″ from the bottom');
    await press('Enter');
    expect(fake.sent).toEqual(['unit b2']);
  });
});
