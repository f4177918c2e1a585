/** The report as GitHub Flavored Markdown, to be pasted into a postmortem. */
import type { Analysis } from '../../model/analysis.js';
import type { ReportOptions } from '../options.js';
import type { Part } from '../parts.js';
import { reportView } from '../report-view.js';
import type { LaneChart } from '../sections/lane-chart.js';
import { fenced, inlineCode, md } from './escape-markdown.js';
import { laneText } from './lane-text.js';
import { printable } from './printable.js';
import type { TeamTemplates } from './team-templates.js';
import { loadTemplate } from './templates.js';
import { tameAnalysis } from './visible.js';

type Template = ReturnType<typeof loadTemplate>;
let compiled: Template | undefined;

/** @throws RangeError when the display zone is not known; TemplateError for a section of the team that is wrong */
export function renderMarkdown(analysis: Analysis, options: ReportOptions = {}): string {
  const tamed = tameAnalysis(analysis);
  const text = templateOf(options.templates)({ ...reportView(tamed, options), analysis: tamed });
  // Sections leave blank lines where they had nothing to say; no value holds a line break.
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** @throws TemplateError for a section of the team that is no template */
export const compileMarkdown = (team: TeamTemplates): Template => loadTemplate(LANGUAGE, team.markdown);

function templateOf(team: TeamTemplates | undefined): Template {
  if (team !== undefined) return compileMarkdown(team);
  compiled ??= loadTemplate(LANGUAGE);
  return compiled;
}

const HELPERS = {
  md: (value: unknown, place: unknown): string => md(printable(value, place)),
  code: (value: unknown, place: unknown): string => inlineCode(printable(value, place)),
  part: (part: Part): string => partText(part),
  fence: (lines: readonly string[]): string => fenced(lines),
  shell: (lines: readonly string[]): string => fenced(lines, 'sh'),
  lanes: (chart: LaneChart, width: number): string => fenced(laneText(chart, width)),
};

const LANGUAGE = { folder: 'markdown', noEscape: true, helpers: HELPERS } as const;

function partText({ style, text }: Part): string {
  if (style === 'code') return inlineCode(text);
  if (style === 'strong') return `**${md(text)}**`;
  if (style === 'badge') return `**${md(text)}**`;
  return text.replace(
    /^( *)(.*?)( *)$/,
    (_all, before: string, inner: string, after: string) => before + md(inner) + after,
  );
}
