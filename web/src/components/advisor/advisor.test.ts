import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { fakeTable } from '../../../test/fake-server';
import { settings } from '../../lib/settings.svelte';
import { Advisor } from '../../lib/advisor.svelte';
import AdvisorPanel from './AdvisorPanel.svelte';
import { barsOf, effortWords, mainReason, scaleWords, signed, standingWords } from './values';

const weighed = (key: string, worth: number, more: object = {}) => ({ key, label: `Do ${key}`, worth, ...more });
const thought = (number: number, more: object = {}) => ({
  number,
  side: 'blue',
  title: 'Normal',
  turn: 2,
  phase: 'Fire',
  prompt: `Question ${number}?`,
  seconds: 0.4,
  frame: number,
  options: [
    weighed('fire', 4.2, { unit: 'b1', target: 'r1', reasons: [{ text: 'likely to hit', worth: 5 }, { text: 'gives itself away', worth: -0.8 }] }),
    weighed('pass', -1),
  ],
  chosen: 'fire',
  sees: 'only what its side may see',
  ...more,
});

describe('values', () => {
  it('are told with their sign, and drawn from a common zero', () => {
    expect([signed(4.23), signed(-0.04), signed(-12.6)]).toEqual(['+4.2', '0', '−13']);
    expect(barsOf([{ worth: 3 }, { worth: -1 }])).toEqual([
      { left: 25, width: 75, loses: false },
      { left: 0, width: 25, loses: true },
    ]);
    expect(barsOf([{ worth: 0 }])[0]!.width).toBe(1);
    expect(barsOf([{ worth: -0.03 }])[0]!.loses).toBe(false);
    // What hardly differs hardly shows.
    expect(barsOf([{ worth: 0 }, { worth: -0.3 }])).toEqual([
      { left: 100, width: 1, loses: false },
      { left: 90, width: 10, loses: true },
    ]);
    expect(barsOf([{ worth: 0.6 }, { worth: 0 }]).map(({ left, width }) => [left, width])).toEqual([[0, 20], [0, 1]]);
    expect(mainReason({ reasons: [{ text: 'near', worth: 1 }, { text: 'in the open', worth: -3 }] })).toBe('in the open');
    expect(mainReason({ reasons: [] })).toBe('');
    expect([scaleWords([]), scaleWords([{ worth: 2 }, { worth: -1 }]), scaleWords([{ worth: 0.01 }, { worth: -1 }])]).toEqual([
      '',
      'What each option is worth, best first (100 = the whole battle).',
      'How much worse than the best option (100 = the whole battle).',
    ]);
    expect([standingWords(0.01), standingWords(0.3), standingWords(-0.9)]).toEqual(['even', 'clearly ahead', 'far behind']);
    expect([effortWords(0, 0), effortWords(1.26, 80)]).toEqual(['at once', '1.3 s, 80 playouts']);
  });
});

describe('the panel', () => {
  it('tells the latest thought with its reasons, and leads through the others', async () => {
    const { table, api } = fakeTable({ '/thoughts': { open: true, why: '', thoughts: [thought(3), thought(5)] } });
    const advisor = new Advisor(table);
    render(AdvisorPanel, { table, advisor });
    await screen.findByText('Question 5?');
    const chosen = screen.getByText('Do fire').closest('li')!;
    expect(within(chosen).getByText('chosen')).toBeTruthy();
    expect(within(chosen).getByText('+4.2')).toBeTruthy();
    expect(within(chosen).getByText('likely to hit')).toBeTruthy();
    await fireEvent.mouseEnter(chosen);
    expect(table.layers.focus.units).toEqual(['b1', 'r1']);
    await fireEvent.click(screen.getByRole('button', { name: 'Previous thought' }));
    expect(screen.getByText('Question 3?')).toBeTruthy();
    advisor.lookAt(4, 'blue');
    expect(advisor.shown?.number).toBe(3);
    // What was thought at a moment led to the next one.
    advisor.lookAt(5, 'blue');
    expect(advisor.shown?.number).toBe(3);
    advisor.lookAt(6, 'blue');
    expect(advisor.shown?.number).toBe(5);
    expect(api.asked.some((path) => path.endsWith('/thoughts?since=0'))).toBe(true);
  });

  it('follows a replay', async () => {
    const { table } = fakeTable({ '/thoughts': { open: true, why: '', thoughts: [thought(0), thought(1), thought(2)] } });
    const advisor = new Advisor(table);
    await advisor.load();
    expect(advisor.shown?.number).toBe(2);
    table.replay.on = true;
    table.replay.number = 2;
    expect(advisor.shown?.number).toBe(1);
    table.replay.number = 0;
    expect(advisor.shown).toBeNull();
    table.replay.number = 1;
    advisor.step(2);
    expect(advisor.shown?.number).toBe(2);
    advisor.chosen = null;
    advisor.showThen();
    expect([advisor.shown?.number, table.replay.number]).toEqual([0, 0]);
  });

  it('says why nothing is told, and tells nothing to who does not want to know', async () => {
    const { table } = fakeTable({ '/thoughts': { open: false, why: 'Not before the end.' } });
    const { unmount } = render(AdvisorPanel, { table, advisor: new Advisor(table) });
    await screen.findByText('Not before the end.');
    unmount();
    settings.set('thoughts', false);
    render(AdvisorPanel, { table, advisor: new Advisor(table) });
    expect(screen.getByText(/hidden until the battle is over/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Show them' }));
    expect(settings.wishes.thoughts).toBe(true);
  });

  it('gives advice about the question that stands', async () => {
    const { table, api } = fakeTable({ '/thoughts': { open: true }, '/advice': thought(9, { side: 'red', prompt: 'What now?' }) });
    const advisor = new Advisor(table);
    render(AdvisorPanel, { table, advisor });
    await fireEvent.click(screen.getByRole('button', { name: 'Quickly' }));
    await vi.waitFor(() => expect(advisor.counsel?.prompt).toBe('What now?'));
    expect(await screen.findByText('best')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Do it' })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Thoroughly' }));
    await vi.waitFor(() => expect(advisor.advising).toBe(false));
    // Who is asked is up to the server.
    const asked = api.asked.filter((path) => path.includes('/advice'));
    expect(asked.map((path) => path.replace(/^.*\?/, ''))).toEqual([`seq=${table.ask?.seq}`, `seq=${table.ask?.seq}&thorough=true`]);
  });

  it('lets it be done as was advised', async () => {
    const { table } = fakeTable({ '/thoughts': { open: true }, '/advice': thought(9, { side: 'red', prompt: 'What now?' }) });
    const advisor = new Advisor(table);
    const done: string[] = [];
    render(AdvisorPanel, { table, advisor: advisor, ondo: (key: string) => done.push(key) });
    await fireEvent.click(screen.getByRole('button', { name: 'Quickly' }));
    await fireEvent.click((await screen.findAllByRole('button', { name: 'Do it' }))[0]!);
    expect(done).toEqual(['fire']);
    // The question still stands: nothing more is asked.
    const { advice } = advisor;
    await advisor.askOn();
    expect(advisor.advice).toBe(advice);
  });
});
