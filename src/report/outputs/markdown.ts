/** The report as GitHub Flavored Markdown, to be pasted into a postmortem. */
import type { Analysis } from '../../model/analysis.js';
import type { ReportOptions } from '../options.js';
import type { Part } from '../parts.js';
import { reportView } from '../report-view.js';
import type { LaneChart } from '../sections/lane-chart.js';
import { fenced, inlineCode, md } from './escape-markdown.js';
import { laneText } from './lane-text.js';
import { loadTemplate } from './templates.js';
import { tameAnalysis } from './visible.js';

type Template = ReturnType<typeof loadTemplate>;
let compiled: Template | undefined;

/** @throws RangeError when the display zone is not known. */
export function renderMarkdown(analysis: Analysis, options: ReportOptions = {}): string {
  compiled ??= loadTemplate({ folder: 'markdown', noEscape: true, helpers: HELPERS });
  const text = compiled(reportView(tameAnalysis(analysis), options));
  // Sections leave blank lines where they had nothing to say; no value holds a line break.
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

const HELPERS = {
  md: (value: string): string => md(value),
  code: (value: string): string => inlineCode(value),
  part: (part: Part): string => partText(part),
  fence: (lines: readonly string[]): string => fenced(lines),
  shell: (lines: readonly string[]): string => fenced(lines, 'sh'),
  lanes: (chart: LaneChart, width: number): string => fenced(laneText(chart, width)),
};

function partText({ style, text }: Part): string {
  if (style === 'code') return inlineCode(text);
  if (style === 'strong') return `**${md(text)}**`;
  if (style === 'badge') return `**${md(text)}**`;
  return text.replace(
    /^( *)(.*?)( *)$/,
    (_all, before: string, inner: string, after: string) => before + md(inner) + after,
  );
}
