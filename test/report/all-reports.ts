/** Every output of an analysis, by name. */
import type { Analysis } from '../../src/model/analysis.js';
import {
  renderHtml,
  renderJobsCsv,
  renderJson,
  renderMarkdown,
  renderReconcileCsv,
  renderTerminal,
  renderTimelineCsv,
} from '../../src/report/index.js';

export const allReports = (analysis: Analysis): readonly (readonly [output: string, text: string])[] => [
  ['report.md', renderMarkdown(analysis)],
  ['report.html', renderHtml(analysis)],
  ['analysis.json', renderJson(analysis)],
  ['jobs.csv', renderJobsCsv(analysis)],
  ['timeline.csv', renderTimelineCsv(analysis)],
  ['reconcile.csv', renderReconcileCsv(analysis)],
  ['terminal', renderTerminal(analysis)],
];
