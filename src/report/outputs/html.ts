/**
 * The report as one HTML file: no network, no script, readable in light and dark, on paper and on a phone.
 *
 * Values reach the page through Handlebars' escaping only. The two strings that are passed as markup, the style sheet and the
 * drawn chart, are made here from our own text, numbers and escaped labels.
 */
import Handlebars from 'handlebars';
import type { Analysis } from '../../model/analysis.js';
import type { ReportOptions } from '../options.js';
import { reportView } from '../report-view.js';
import type { LaneChart } from '../sections/lane-chart.js';
import { laneSvg } from './lane-svg.js';
import { loadStyle, loadTemplate } from './templates.js';
import { tameAnalysis } from './visible.js';

let page: { readonly template: ReturnType<typeof loadTemplate>; readonly style: Handlebars.SafeString } | undefined;

/** @throws RangeError when the display zone is not known. */
export function renderHtml(analysis: Analysis, options: ReportOptions = {}): string {
  page ??= {
    template: loadTemplate({ folder: 'html', noEscape: false, helpers: HELPERS }),
    style: new Handlebars.SafeString(loadStyle()),
  };
  return page.template({ ...reportView(tameAnalysis(analysis), options), style: page.style });
}

/** Longer than this, an identifier may break anywhere so that a table keeps its width. */
const LONG_CODE = 34;

const HELPERS = {
  long: (value: string): boolean => value.length > LONG_CODE,
  is: (value: string, other: string): boolean => value === other,
  /** `id` is an anchor of ours: `finding-1`, `job-<hash>`. */
  lanes: (chart: LaneChart, id: string): Handlebars.SafeString =>
    new Handlebars.SafeString(laneSvg(chart, `chart-${id}`)),
};
