/**
 * The report as one HTML file: no network, whole without its script, readable in light and dark, on paper and on a phone.
 *
 * Values reach the page through Handlebars' escaping only. The strings that are passed as markup, style sheet, script and the
 * drawn chart, are made here from our own text, numbers and escaped labels. The page's policy lets this very script run, by its
 * hash, and no other.
 */
import Handlebars from 'handlebars';
import type { Analysis } from '../../model/analysis.js';
import type { ReportOptions } from '../options.js';
import { reportView } from '../report-view.js';
import type { LaneChart } from '../sections/lane-chart.js';
import { laneSvg } from './lane-svg.js';
import type { TeamTemplates } from './team-templates.js';
import { loadScript, loadStyle, loadTemplate } from './templates.js';
import { tameAnalysis } from './visible.js';

type Template = ReturnType<typeof loadTemplate>;
let page: Template | undefined;

/** @throws RangeError when the display zone is not known; TemplateError for a section of the team that is wrong */
export function renderHtml(analysis: Analysis, options: ReportOptions = {}): string {
  const tamed = tameAnalysis(analysis);
  const script = loadScript();
  return templateOf(options.templates)({
    ...reportView(tamed, options),
    analysis: tamed,
    style: new Handlebars.SafeString(loadStyle()),
    script: { code: new Handlebars.SafeString(script.code), hash: new Handlebars.SafeString(script.hash) },
  });
}

/** @throws TemplateError for a section of the team that is no template */
export const compileHtml = (team: TeamTemplates): Template => loadTemplate(LANGUAGE, team.html);

function templateOf(team: TeamTemplates | undefined): Template {
  if (team !== undefined) return compileHtml(team);
  page ??= loadTemplate(LANGUAGE);
  return page;
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

const LANGUAGE = { folder: 'html', noEscape: false, helpers: HELPERS } as const;
