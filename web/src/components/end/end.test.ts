import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BATTLE, FakeApi, fakeTable, type Answers } from '../../../test/fake-server';
import vectors from '../../lib/fair.vectors.json';
import type { BattleStore } from '../../lib/battle-store.svelte';
import EndScreen from './EndScreen.svelte';

const VECTOR = vectors[0]!;
const END = {
  result: { winner: 'red', reason: 'red holds the bridge', rule: '5.1' },
  losses: { red: [], blue: ['Squad', 'Squad', 'Tank'] },
  luck: [
    { side: 'red', what: 'Attack', rolls: 9, value: 12, expected: 9, deviations: 1.4 },
    { side: 'blue', what: 'Attack', rolls: 8, value: 6.04, expected: 9, deviations: -2.3 },
  ],
  seed: VECTOR.seed,
  commitment: VECTOR.commitment,
  rolls: VECTOR.rolls,
};

function over(answers: Answers = {}, promised = VECTOR.commitment): BattleStore {
  const { table } = fakeTable({ '/end': END, ...answers }, { waiting: 'over' }, { ask: null, result: END.result });
  table.battle = { ...table.battle, commitment: promised };
  return table;
}

beforeEach(() => localStorage.clear());

describe('the end', () => {
  it('says who won and why, what was lost, who was lucky, and that the dice were fair', async () => {
    const { container } = render(EndScreen, { table: over(), onclose: () => {} });
    expect(screen.getByText('Victory')).toBeTruthy();
    expect(screen.getByText(/Red holds the bridge/)).toBeTruthy();
    expect(await screen.findByText('2 × Squad')).toBeTruthy();
    expect(screen.getAllByText('lucky').length).toBeGreaterThan(0);
    expect(screen.getAllByText('very unlucky').length).toBeGreaterThan(0);
    expect(screen.getByText('All 6 rolls match the seed promised at the start.')).toBeTruthy();
    expect(container.querySelector('[data-check="good"]')).toBeTruthy();
  });

  it('tells in the same words what had to be done, and how that stood', () => {
    const table = over();
    const goal = { task: 'Hold the bridge at the end', stands: 'the bridge: Blue', left: '' };
    table.update = { ...table.update, view: { ...table.update.view, goal } };
    render(EndScreen, { table, onclose: () => {} });
    expect(screen.getByText('What you had to do: Hold the bridge at the end. At the end: the bridge: Blue.')).toBeTruthy();
  });

  it('says when a roll was changed, or the seed was another', async () => {
    const rolls = structuredClone(VECTOR.rolls) as [number, number, number[]][];
    rolls[0]![2] = [1, 1];
    const first = render(EndScreen, { table: over({ '/end': { ...END, rolls } }), onclose: () => {} });
    expect(await screen.findByText(/don’t match the seed: number 1/)).toBeTruthy();
    expect(screen.getByText(/Roll 1 showed 1, 1/)).toBeTruthy();
    first.unmount();
    render(EndScreen, { table: over({}, 'ffff'), onclose: () => {} });
    expect(await screen.findByText(/isn’t the seed promised/)).toBeTruthy();
  });

  it('speaks of defeat and of draws, and of real dice', async () => {
    const lost = { ...END, result: { winner: 'blue', reason: 'x' }, seed: '', rolls: [] };
    const first = render(EndScreen, { table: over({ '/end': lost }), onclose: () => {} });
    expect(await screen.findByText('Defeat')).toBeTruthy();
    expect(screen.getByText(/rolled your own dice/)).toBeTruthy();
    first.unmount();
    render(EndScreen, { table: over({ '/end': { ...END, result: { winner: '', reason: 'x' } } }), onclose: () => {} });
    expect(await screen.findByText('A draw')).toBeTruthy();
  });

  it('offers a rematch, with the sides swapped', async () => {
    const bodies: unknown[] = [];
    const made = { battle: { ...BATTLE, id: 'y' }, seats: [{ side: 'blue', token: 'tb' }] };
    const api = new FakeApi({
      '/api/battles': (call: { body: unknown }) => {
        bodies.push(call.body);
        return made;
      },
    });
    const go = vi.fn();
    render(EndScreen, { table: over(), onclose: () => {}, api, go });
    await fireEvent.click(screen.getByRole('button', { name: 'Rematch, swapped', hidden: true }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledWith('/play/y#tb'));
    expect(bodies[0]).toMatchObject({ game: 'g', scenario: 's', players: { red: 'regular', blue: 'human' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Lobby', hidden: true }));
    expect(go).toHaveBeenLastCalledWith('/');
  });

  it('shows the link for the other player of a rematch', async () => {
    const made = {
      battle: { ...BATTLE, id: 'y', mode: 'invite' },
      seats: [
        { side: 'red', token: 'tr' },
        { side: 'blue', token: 'tb' },
      ],
    };
    const go = vi.fn();
    render(EndScreen, { table: over(), onclose: () => {}, api: new FakeApi({ '/api/battles': made }), go });
    await fireEvent.click(screen.getByRole('button', { name: 'Rematch', hidden: true }));
    expect(await screen.findByText(/\/play\/y#tb$/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Go to the battle', hidden: true }));
    expect(go).toHaveBeenCalledWith('/play/y#tr');
  });

  it('starts the replay', async () => {
    const table = over();
    const onclose = vi.fn();
    render(EndScreen, { table, onclose });
    await fireEvent.click(screen.getByRole('button', { name: 'Watch the replay', hidden: true }));
    expect(onclose).toHaveBeenCalled();
    await vi.waitFor(() => expect(table.replay.on).toBe(true));
    table.replay.pause();
  });
});
