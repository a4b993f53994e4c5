import { fireEvent, render } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { OPTION } from '../../lib/normalise-view';
import { noLayers } from '../../lib/layers';
import Board from './Board.svelte';
import { boardOf, markerOf, table, unitOf, viewOf } from '../../../test/boards';

const units = [
  unitOf('a', 'B2', { badges: ['Brk'], states: ['broken'] }),
  unitOf('b', 'C3', { stack: 0 }),
  unitOf('c', 'C3', { stack: 1, side: 'blue' }),
  unitOf('off', ''),
];

function show(more: Record<string, unknown> = {}) {
  const calls = { onunit: vi.fn(), onplace: vi.fn(), onhover: vi.fn() };
  const props = {
    board: boardOf(),
    landUrl: '/land.svg',
    view: viewOf(units, [markerOf('smoke', 'D4', { text: 'Smoke 2' })]),
    still: true,
    ...calls,
    ...more,
  };
  const shown = render(Board, { props });
  const counter = (id: string) => shown.container.querySelector<HTMLButtonElement>(`[data-unit="${id}"]`)!;
  return { ...shown, ...calls, props, counter, host: shown.getByRole('application') };
}

describe('pieces', () => {
  it('are labelled nodes of the page', () => {
    const { container, counter, getByLabelText } = show({ ready: ['a'], selected: 'a' });
    expect(container.querySelectorAll('[data-unit]')).toHaveLength(3);
    expect(counter('a').getAttribute('aria-label')).toBe(
      'Rifle Squad a, red, at B2, broken, 4-6-4-4, can act, selected',
    );
    expect(counter('a').getAttribute('aria-pressed')).toBe('true');
    expect(counter('a').textContent).toContain('Brk');
    expect(getByLabelText('Smoke, Smoke 2, at D4').dataset.marker).toBe('smoke');
    expect(container.querySelector('[data-stack="C3"] .gb-count')?.textContent?.trim()).toBe('2');
  });

  it('have no style attributes in their markup that a content policy would refuse', () => {
    // Styles are set through the object model, which the policy allows; only images' sources are texts.
    const { container } = show();
    for (const image of container.querySelectorAll('image')) expect(image.getAttribute('href')).toMatch(/^data:image/);
  });

  it('tell who can act from the question where nobody says it', () => {
    const view = viewOf(units);
    const option = { ...OPTION, key: 'move b', verb: 'move', unit: 'b' };
    view.ask = {
      seq: 1,
      side: 'red',
      prompt: '?',
      options: [option],
      reaction: '',
      rule: '',
      quiet: false,
      dice: null, area: null, draft: null,
    };
    const { counter } = show({ view });
    expect(counter('b').classList).toContain('ready');
    expect(counter('a').classList).not.toContain('ready');
  });
});

describe('clicking', () => {
  it('picks a counter that stands alone', async () => {
    const { counter, onunit, onplace } = show();
    await fireEvent.click(counter('a'), { detail: 1 });
    expect(onunit).toHaveBeenCalledWith('a', expect.anything());
    expect(onplace).not.toHaveBeenCalled();
  });

  it('opens a stack at the first tap of a finger and picks at the second', async () => {
    const { counter, container, onunit, host } = show();
    await fireEvent(host, Object.assign(new MouseEvent('pointerdown', { bubbles: true }), { pointerType: 'touch' }));
    await fireEvent.click(counter('c'), { detail: 1 });
    expect(onunit).not.toHaveBeenCalled();
    expect(container.querySelector('[data-stack="C3"]')!.classList).toContain('open');
    await fireEvent.click(counter('b'), { detail: 1 });
    expect(onunit).toHaveBeenCalledWith('b', expect.anything());
  });

  it('tells the hex under the pointer, and closes the stack', async () => {
    const { host, onplace, counter, container } = show();
    await fireEvent.click(counter('c'), { detail: 1 });
    expect(container.querySelector('.open')).not.toBeNull();
    await fireEvent.click(host, { clientX: 400, clientY: 300 });
    expect(onplace).toHaveBeenCalledTimes(1);
    expect(boardOf().hexes.map((hex) => hex.id)).toContain(onplace.mock.calls[0]![0]);
    expect(container.querySelector('.open')).toBeNull();
  });

  it('tells what is pointed at, once', async () => {
    const { host, onhover, counter } = show();
    const move = (target: Element, x: number) =>
      fireEvent(
        target,
        Object.assign(new MouseEvent('pointermove', { bubbles: true, clientX: x, clientY: 300 }), {
          pointerType: 'mouse',
        }),
      );
    await move(host, 400);
    await move(host, 401);
    expect(onhover).toHaveBeenCalledTimes(1);
    await move(counter('a'), 10);
    expect(onhover).toHaveBeenLastCalledWith({ unit: 'a', place: 'B2' });
  });
});

describe('the keyboard', () => {
  it('has one way in by Tab, and arrows and Page Down from there', async () => {
    const { container, counter } = show();
    expect(container.querySelectorAll('[data-unit][tabindex="0"]')).toHaveLength(1);
    counter('a').focus();
    const seen = new Set<string>();
    for (let i = 0; i < 3; i++) {
      await fireEvent.keyDown(document.activeElement!, { key: 'PageDown' });
      seen.add((document.activeElement as HTMLElement).dataset.unit!);
    }
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    counter('a').focus();
    await fireEvent.keyDown(counter('a'), { key: 'ArrowRight' });
    expect(['b', 'c']).toContain((document.activeElement as HTMLElement).dataset.unit);
  });

  it('moves and zooms the map', async () => {
    const { host, container } = show();
    const world = container.querySelector<HTMLElement>('.gb-world')!;
    for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp', '-', '0']) {
      const before = world.style.transform;
      await fireEvent.keyDown(host, { key, shiftKey: key.startsWith('Arrow') });
      expect(world.style.transform, key).not.toBe(before);
    }
    const before = world.style.transform;
    const window = vi.fn();
    host.parentElement!.addEventListener('keydown', window);
    await fireEvent.keyDown(host, { key: 'x' });
    // An arrow alone is for whoever walks over the hexes.
    await fireEvent.keyDown(host, { key: 'ArrowLeft' });
    expect(window).toHaveBeenCalledTimes(2);
    await fireEvent.keyDown(host, { key: '+', ctrlKey: true });
    expect(world.style.transform).toBe(before);
  });

  it('keeps its counter when that moves to another stack', async () => {
    const { counter, rerender } = show();
    counter('a').focus();
    await rerender({
      view: viewOf(units.map((unit) => (unit.id === 'a' ? { ...unit, place: 'C3', stack: 2 } : unit))),
    });
    expect((document.activeElement as HTMLElement).dataset.unit).toBe('a');
  });
});

describe('layers', () => {
  it('are drawn from plain data', () => {
    const layers = {
      ...noLayers(),
      reach: [
        { place: 'D4', cost: 2, danger: true },
        { place: 'nowhere', cost: 1 },
      ],
      targets: [
        { unit: 'c', place: 'C3', text: '42 %' },
        { unit: 'a', place: 'B2', text: '', friend: true },
      ],
      path: { places: ['B2', 'C2', 'D4'], label: '2 points' },
      sight: {
        from: 'B2',
        to: 'F5',
        state: 'blocked',
        crossed: [{ places: ['C3', 'C3|C4'], text: 'woods', effect: 'block', rule: '1' }],
      },
      field: [{ place: 'E5', state: 'clear', ring: 0 }],
      rings: { center: 'B2', ranges: [{ range: 2, text: 'Normal' }] },
      focus: { units: ['a'], places: ['E2'] },
      shots: [{ from: 'B2', to: 'C3' }],
    };
    const { container, counter } = show({ layers });
    expect(container.querySelector('[data-reach="D4"]')!.textContent).toContain('2');
    expect(container.querySelectorAll('.gb-reach')).toHaveLength(1);
    expect(container.querySelector('.gb-pill.aim')!.textContent).toContain('42 %');
    expect(counter('c').getAttribute('aria-label')).toContain('target 42 %');
    const rings = [...container.querySelectorAll('.gb-target')].map((ring) => [ring.classList.contains('friend'), ring.querySelector('path')!.getAttribute('d')!.includes('V')]);
    expect(rings, 'only an enemy has cross hairs').toEqual([[false, true], [true, false]]);
    expect(container.querySelector('.gb-pill.way')!.textContent).toContain('2 points');
    expect(container.querySelectorAll('.gb-crossed.block')).toHaveLength(2);
    expect(container.querySelector('.gb-sight.blocked')).not.toBeNull();
    expect(container.querySelector('.gb-field.clear.in')).not.toBeNull();
    expect(container.querySelectorAll('.gb-rim')).toHaveLength(2);
    expect(container.querySelector('.gb-halo')!.textContent).toBe('Normal 2');
    expect(counter('a').classList).toContain('focused');
    expect(container.querySelectorAll('.gb-shot')).toHaveLength(2);
  });
});

it('works on a table without hexes', async () => {
  const layers = {
    ...noLayers(),
    rings: { center: '5,5', ranges: [{ range: 6, text: '' }] },
    field: [{ place: '4,4', state: 'blocked', ring: 0 }],
    reach: [{ place: '7,7', cost: 1, danger: true }],
    sight: {
      from: '1,1',
      to: '5,5',
      state: 'clear',
      crossed: [{ places: ['2,2'], text: 'wood', effect: 'block', rule: '' }],
    },
  };
  const { host, onplace, container } = show({
    board: table(),
    view: viewOf([unitOf('a', '5,5'), unitOf('b', 'B2')], [markerOf('smoke', '9,9')]),
    layers,
  });
  expect(container.querySelectorAll('[data-unit]')).toHaveLength(1);
  await fireEvent.click(host, { clientX: 400, clientY: 300 });
  expect(onplace.mock.calls[0]![0]).toMatch(/^[\d.]+,[\d.]+$/);
});
