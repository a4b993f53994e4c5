/** A small battle on a table for tests: two squads and a tank, and a question that takes any pose. */
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseInquiry from '../src/lib/normalise-inquiry';
import * as normaliseView from '../src/lib/normalise-view';
import type { AskView, BoardView, PreviewView, UnitView } from '../src/lib/types';

export const STEP = 10;

export function tableBoard(): BoardView {
  return normaliseBattle.board({ name: 'field', width: 480, height: 360, step: STEP, measure: 'inch', table: true, colours: { blue: '#4b6584', red: '#9a5b34' } });
}

const row = (x: number, y: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, i) => ({ id: `m${i + 1}`, x: x + (i - (count - 1) / 2) * 1.5, y, radius: 0.5, ...(i === 0 ? { short: 'LMG', title: 'light machine gun' } : {}) }));

export function tableUnits(): UnitView[] {
  return [
    { id: 'b1', side: 'blue', name: 'First Squad', short: 'Rifle', place: '20,25', badges: ['2 pins'], models: row(20, 25, 4) },
    { id: 'b2', side: 'blue', name: 'Second Squad', short: 'Rifle', place: '36,28', models: row(36, 28, 2) },
    { id: 'r1', side: 'red', name: 'Tank', symbol: '10061000151205000000', place: '24,8', models: [{ id: 'hull', x: 24, y: 8, heading: 180, length: 4, width: 2 }] },
  ].map(normaliseView.unit);
}

export function tableAsk(more: Record<string, unknown> = {}): AskView {
  const line = [-225, -75, 75, 225].map((x, i) => [`m${i + 1}`, x, 0]);
  const column = [-225, -75, 75, 225].map((y, i) => [`m${i + 1}`, 0, y]);
  return normaliseView.ask({
    seq: 7,
    side: 'blue',
    prompt: 'Where does it go?',
    options: [
      { key: 'pose 20 20 0 line', label: 'To the hedge', verb: 'pose', unit: 'b1', place: '20,20', cost: '5″' },
      { key: 'pose 16 22 270 column', label: 'Along the lane', verb: 'pose', unit: 'b1', place: '16,22', cost: '5″' },
      { key: 'charge r1', label: 'Charge', verb: 'charge', unit: 'b1', target: 'r1' },
      { key: 'stay', label: 'Stay', verb: 'stay', unit: 'b1', place: '20,25' },
    ],
    area: {
      unit: 'b1',
      verb: 'pose',
      label: 'Up to 6″',
      start: 'pose 20 25 0 line',
      forms: [
        { name: 'line', title: 'Line', models: line },
        { name: 'column', title: 'Column', models: column },
      ],
      polygons: [[[[1400, 1900], [2600, 1900], [2600, 3100], [1400, 3100]], [[2100, 2100], [2300, 2100], [2300, 2300], [2100, 2300]]]],
      ...more,
    },
  });
}

/** What a game says to a pose: all left of 26 inches is legal. */
export function tablePreview(key: string): PreviewView {
  const [, x = '0', y = '0'] = key.split(' ');
  const legal = Number(x) <= 26;
  const models = [-200, 0, 200, 300].map((dx, i) => ({ id: `m${i + 1}`, x: Number(x) * 100 + dx, y: Number(y) * 100 }));
  return normaliseInquiry.preview(
    legal ? { key, legal, models, cost: '4″ of 6″', lines: ['In soft cover'] } : { key, legal, models, bar: { reason: 'too far', rule: '8.1' } },
  );
}
