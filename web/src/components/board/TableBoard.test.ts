import { fireEvent, render } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { pointBody } from '../../lib/bodies';
import { noLayers, type Ghost } from '../../lib/layers';
import { tableAsk, tableBoard, tableUnits } from '../../../test/small-table';
import Board from './Board.svelte';
import { CORNER, fitIn } from './camera';
import { findTroops, lookOf } from './pieces';
import { markerOf, viewOf } from '../../../test/boards';

function ghostOf(more: Partial<Ghost> = {}): Ghost {
  const area = tableAsk().area!;
  return {
    unit: 'b1',
    words: 'First Squad, in your hand',
    x: 20,
    y: 22,
    heading: 0,
    turns: true,
    legal: true,
    touched: true,
    single: false,
    knobs: null,
    outline: [],
    under: [],
    models: tableUnits()[0]!.models.map((model) => ({ ...model, y: 22, path: [[20, 25], [20, 22]], byHand: model.id === 'm2' })),
    polygons: area.polygons,
    spots: [{ key: 'pose 20 20 0 line', x: 20, y: 20, heading: 0, label: 'To the hedge', chosen: false }],
    label: '3″',
    ...more,
  };
}

function show(more: Record<string, unknown> = {}) {
  const calls = { onunit: vi.fn(), onplace: vi.fn(), onhand: vi.fn(), oncontext: vi.fn() };
  const markers = [
    markerOf('objective', '24,18', { radius: 3, text: 'The well' }),
    markerOf('wreck', '30,10', { length: 4, width: 2, facing: 45 }),
    markerOf('zone', '', { side: 'blue', text: 'Blue edge', outline: [[0, 30], [48, 30], [48, 36], [0, 36]] }),
  ];
  const props = { board: tableBoard(), landUrl: '/land.svg', view: viewOf(tableUnits(), markers), still: true, ...calls, ...more };
  const shown = render(Board, { props });
  const unit = (id: string) => shown.container.querySelector<HTMLButtonElement>(`[data-unit="${id}"]`)!;
  return { ...shown, ...calls, unit, host: shown.getByRole('application') };
}

/** Where a point of the table lies in the window: the map fits a window of 800 × 600, beside the buttons. */
function at(x: number, y: number): { clientX: number; clientY: number } {
  const { k, ...corner } = fitIn(800, 600, 480, 360, CORNER);
  return { clientX: corner.x + x * 10 * k, clientY: corner.y + y * 10 * k };
}

const pointer = (node: Element, type: string, x: number, y: number) =>
  fireEvent(node, new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, ...at(x, y) }));

describe('units of models', () => {
  it('are one button each, with all of their models', () => {
    const { unit, container } = show({ ready: ['b1'], selected: 'b1' });
    expect(container.querySelectorAll('[data-unit]')).toHaveLength(3);
    expect(unit('b1').querySelectorAll('.gb-base')).toHaveLength(4);
    expect(unit('b1').getAttribute('aria-label')).toBe('First Squad, blue, 20″ from the left, 11″ from the bottom, 4 models, can act, selected');
    expect(unit('b1').textContent).toContain('LMG');
    expect(unit('b1').textContent).toContain('2 pins');
    expect(unit('r1').querySelector('.gb-turret')).toBeTruthy();
    expect(container.querySelectorAll('.gb-troop[tabindex="0"]')).toHaveLength(1);
  });

  it('tell a click, and move the focus by arrows', async () => {
    const { unit, onunit } = show();
    await fireEvent.click(unit('b1'));
    expect(onunit.mock.calls[0]![0]).toBe('b1');
    unit('b1').focus();
    await fireEvent.keyDown(unit('b1'), { key: 'ArrowRight' });
    expect(document.activeElement).toBe(unit('b2'));
  });

  it('lie with the small ones above the large ones, and not where they are nowhere', () => {
    const units = tableUnits();
    units[1]!.place = '';
    expect(findTroops(units).map(({ unit }) => unit.id)).toEqual(['r1', 'b1']);
    const base = { look: '', width: 2 };
    expect([lookOf({ symbol: '10031000121204000000' }, { ...base, length: 2 }), lookOf({ symbol: '' }, { ...base, length: 4 })]).toEqual(['gun', 'car']);
    expect([lookOf(null, { ...base, length: 4, look: 'stand' }), lookOf(null, { look: '', length: 0, width: 0 })]).toEqual(['stand', 'figure']);
  });
});

describe('markers', () => {
  it('have their size', () => {
    const { getByLabelText, container } = show();
    expect(getByLabelText('Objective, The well, 24″ from the left, 18″ from the top').querySelector('.gb-extent')?.getAttribute('d')).toMatch(/^M210,180a30,30/);
    expect(container.querySelector('[data-marker="wreck"] .gb-burnt')).toBeTruthy();
    expect(getByLabelText('zone, Blue edge, blue').querySelector('.gb-extent')?.getAttribute('d')).toBe('M0,300L480,300L480,360L0,360Z');
  });
});

describe('a unit in the hand', () => {
  const layers = { ...noLayers(), ghost: ghostOf() };

  it('shows where it may go, its ghost, its ways and a knob', () => {
    const { container, getByRole } = show({ layers });
    expect(container.querySelector('[data-area="b1"]')?.getAttribute('d')).toBe('M140,190L260,190L260,310L140,310ZM210,210L230,210L230,230L210,230Z');
    expect(container.querySelectorAll('.gb-ghost-model')).toHaveLength(4);
    expect(container.querySelectorAll('.gb-ghost-model.byhand')).toHaveLength(1);
    expect(container.querySelectorAll('.gb-walk:not(.under)')).toHaveLength(4);
    expect(getByRole('button', { name: 'First Squad, in your hand' })).toBeTruthy();
    expect(container.querySelector('.gb-turn')).toBeTruthy();
  });

  it('is dragged by its hull, or from where it stands', async () => {
    const { container, unit, host, onhand, onunit } = show({ layers });
    for (const part of [container.querySelector('[data-ghost]')!, unit('b1')]) {
      onhand.mockClear();
      await pointer(part, 'pointerdown', 20, 22);
      await pointer(host, 'pointermove', 18, 21);
      const [moved] = onhand.mock.calls[0] as [{ what: string; x: number; y: number }];
      expect([moved.what, Math.round(moved.x * 100), Math.round(moved.y * 100)]).toEqual(['move', 1800, 2100]);
      await pointer(host, 'pointerup', 18, 21);
      expect(onhand.mock.lastCall![0]).toEqual({ what: 'drop' });
      await fireEvent.click(unit('b1'));
      expect(onunit).not.toHaveBeenCalled();
    }
  });

  it('turns by its knob and by the wheel with Shift', async () => {
    const { container, host, onhand } = show({ layers });
    await pointer(container.querySelector('.gb-turn')!, 'pointerdown', 20, 20);
    await pointer(host, 'pointermove', 24, 22);
    expect(onhand.mock.lastCall![0]).toEqual({ what: 'head', degrees: 90 });
    await pointer(host, 'pointerup', 24, 22);
    await fireEvent.wheel(host, { shiftKey: true, deltaY: 100 });
    expect(onhand.mock.lastCall![0]).toEqual({ what: 'turn', by: 5 });
  });

  it('lends single models where that is wanted', async () => {
    const { container, host, onhand } = show({ layers: { ...layers, ghost: ghostOf({ single: true }) } });
    const model = container.querySelector('[data-model="m1"]')!;
    await pointer(model, 'pointerdown', 17.75, 22);
    await pointer(host, 'pointermove', 17.75, 20);
    expect(onhand.mock.lastCall![0]).toMatchObject({ what: 'model', model: 'm1' });
    await pointer(host, 'pointerup', 17.75, 20);
  });

  it('takes clicks on spots and on the ground, and a double click confirms', async () => {
    const { container, host, onhand, onplace } = show({ layers });
    await fireEvent.click(container.querySelector('[data-pose]')!, at(20, 20));
    expect(onhand.mock.lastCall![0]).toEqual({ what: 'spot', key: 'pose 20 20 0 line' });
    await fireEvent.click(host, at(16, 24));
    expect(onplace.mock.lastCall![0]).toBe('16,24');
    await fireEvent.dblClick(host, at(16, 24));
    expect(onhand.mock.lastCall![0]).toEqual({ what: 'confirm' });
  });

  it('leaves the arrows to the unit', async () => {
    const { unit } = show({ layers });
    unit('b1').focus();
    await fireEvent.keyDown(unit('b1'), { key: 'ArrowRight' });
    expect(document.activeElement).toBe(unit('b1'));
  });
});

describe('measuring', () => {
  it('drags a tape and not the map', async () => {
    const ontape = vi.fn();
    const { host, onplace } = show({ ontape });
    await pointer(host, 'pointerdown', 10, 10);
    await pointer(host, 'pointermove', 20, 10);
    await pointer(host, 'pointerup', 20, 10);
    const [from, to] = ontape.mock.lastCall as [{ x: number }, { x: number }];
    expect([Math.round(from.x), Math.round(to.x)]).toEqual([10, 20]);
    expect(onplace).not.toHaveBeenCalled();
  });

  it('draws tape, rings, arcs and threads', () => {
    const { container } = show({
      layers: {
        ...noLayers(),
        tape: { from: { ...pointBody(10, 10), radius: 0.5 }, line: { x1: 10.5, y1: 10, x2: 20, y2: 10 }, label: '9.5″', rings: [6, 12, 24] },
        fire: { fans: [{ x: 24, y: 8, heading: 180, width: 90, range: 12, text: 'hull MG' }], areas: [[[24, 8], [20, 20], [28, 20]]] },
        sight: {
          from: '20,25',
          to: '24,8',
          state: 'degraded',
          crossed: [],
          threads: [
            { x1: 20, y1: 25, x2: 24, y2: 8, state: 'clear', blocked_at: null, text: '' },
            { x1: 21, y1: 25, x2: 24, y2: 8, state: 'blocked', blocked_at: [22, 20], text: 'the hedge' },
          ],
        },
      },
    });
    expect(container.querySelector('[data-part="tape"]')?.textContent).toBe('9.5″');
    expect(container.querySelectorAll('[data-ring]')).toHaveLength(3);
    expect(container.querySelector('[data-fan]')).toBeTruthy();
    expect(container.textContent).toContain('hull MG 12″');
    expect(container.querySelectorAll('[data-strand]')).toHaveLength(2);
    expect(container.querySelectorAll('.gb-stop')).toHaveLength(1);
    expect(container.querySelector('[data-thread]')).toBeNull();
  });
});
