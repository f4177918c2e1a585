/** What may be said when no boundary was found broken: what was looked at, and above all what was not. */
import type { Analysis } from '../../model/analysis.js';
import { CLASS_WORDS, EVIDENCE_CLASSES } from '../../model/evidence-classes.js';
import type { ReportContext } from '../context.js';
import { plural } from '../durations.js';
import type { Tone } from '../parts.js';
import { isSelected, selectionText } from './selected.js';

interface NothingFound {
  readonly verdict: string;
  readonly tone: Tone;
  readonly sentence: string;
  readonly more: readonly string[];
}

export function nothingFound(context: ReportContext): NothingFound {
  const { analysis } = context;
  const { jobs, executions } = analysis.totals;
  return {
    verdict: isSelected(analysis) ? 'No failed boundary found in what was asked for' : 'No failed boundary found',
    tone: 'plain',
    sentence: `No failed boundary was found in what these sources cover: ${plural(jobs, 'job')}, ${plural(executions, 'run')} of a handler, ${plural(analysis.sources.length, 'source')}.`,
    more: [selectionText(analysis), noise(analysis), notCovered(analysis), gaps(analysis), unreadable(analysis)].filter(
      (line) => line !== '',
    ),
  };
}

function noise(analysis: Analysis): string {
  const harmless = analysis.findings.filter((finding) => finding.boundary === 'none').length;
  if (harmless === 0) return '';
  return `${plural(harmless, 'finding')} ${harmless === 1 ? 'concerns' : 'concern'} lines that looked alarming while nothing was lost or repeated.`;
}

function notCovered(analysis: Analysis): string {
  const covered = new Set(analysis.coverage.map((row) => row.class));
  const missing = EVIDENCE_CLASSES.filter((one) => !covered.has(one)).map((one) => CLASS_WORDS[one]);
  if (missing.length === 0)
    return 'Every class of evidence was covered by at least one source; gaps are listed under Coverage.';
  return `Not covered: ${missing.join('; ')}. A failure that only these would show cannot be excluded.`;
}

function gaps(analysis: Analysis): string {
  const count = analysis.coverage.reduce((sum, row) => sum + row.gaps.length, 0);
  if (count === 0) return '';
  return `${plural(count, 'gap')} in what was covered ${count === 1 ? 'is' : 'are'} listed under Coverage.`;
}

function unreadable(analysis: Analysis): string {
  const damaged = analysis.sources.filter((source) => source.damage.length > 0).length;
  const said = [
    damaged === 0 ? '' : `${plural(damaged, 'source')} had damage`,
    analysis.limits.length === 0 ? '' : `${plural(analysis.limits.length, 'limit')} applied`,
  ].filter((part) => part !== '');
  return said.length === 0 ? '' : `${said.join(' and ')}; see Limits and Manifest.`;
}
