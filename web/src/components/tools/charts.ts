/** Where a chart comes from, in words; and the search among charts. */
import type { ChartView } from '../../lib/types';

export interface Badge {
  text: string;
  sign: string;
  hint: string;
}

const BADGES: Record<string, Badge> = {
  rulebook: { text: 'rulebook', sign: '■', hint: 'printed in the rulebook' },
  published: { text: 'published', sign: '◆', hint: 'published by the designers outside the rulebook' },
  reconstructed: { text: 'reconstructed', sign: '▲', hint: 'our own reconstruction: the printed chart is not free to copy' },
  yours: { text: 'yours', sign: '★', hint: 'from a file of your own' },
};

/** The badge of a provenance; an unknown word stands for itself. */
export function badge(provenance: string): Badge {
  return BADGES[provenance] ?? { text: provenance || 'unknown', sign: '●', hint: 'unknown source' };
}

/** The charts that have all the words, in their title, note or cells. */
export function searchCharts(charts: readonly ChartView[], search: string): ChartView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [...charts];
  return charts.filter((chart) => {
    const text = [chart.id, chart.title, chart.note, chart.rule, badge(chart.provenance).text, ...chart.columns, ...chart.rows.flat()]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
