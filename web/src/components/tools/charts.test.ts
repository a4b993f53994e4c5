import { expect, it } from 'vitest';
import type { ChartView } from '../../lib/types';
import { badge, searchCharts } from './charts';

const CHARTS: ChartView[] = [
  { id: 'a', title: 'Combat', provenance: 'reconstructed', columns: ['Roll', '+1'], rows: [['2', 'miss']], rule: '9.1', note: '', source: '' },
  { id: 'b', title: 'Drift', provenance: 'own', columns: [], rows: [], rule: '', note: 'house rule', source: 'my.toml' },
];

it('searches charts and names their provenance', () => {
  expect(searchCharts(CHARTS, '').length).toBe(2);
  expect(searchCharts(CHARTS, 'MISS combat').map((chart) => chart.id)).toEqual(['a']);
  expect(searchCharts(CHARTS, 'house').map((chart) => chart.id)).toEqual(['b']);
  expect(badge('yours').text).toBe('yours');
  expect(badge('own').text).toBe('own');
});
