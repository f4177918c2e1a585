/** What the analyst asked to see (`--job`, `--queue` …), and what was left out because of it. */
import type { Analysis, JobStory } from '../../model/analysis.js';
import { plural } from '../durations.js';

/** Options that select findings and stories. */
const SELECTS = /^--(?:around|from|job|queue|to|within|worker) /;

/** Title of the limit that counts verdicts outside of the selection. */
export const LEFT_OUT = 'verdicts that were not asked for';

export const isSelected = ({ run }: Analysis): boolean => run.options.some((option) => SELECTS.test(option));

/** One line; '' where everything was asked for. */
export function selectionText({ run, limits }: Analysis): string {
  const given = run.options.filter((option) => SELECTS.test(option));
  if (given.length === 0) return '';
  const left = limits.find(({ what }) => what === LEFT_OUT)?.count ?? 0;
  const outside = left === 0 ? '' : ` ${plural(left, 'verdict')} outside of it ${left === 1 ? 'is' : 'are'} not told.`;
  return `Asked for: ${given.join(', ')}; all of the evidence was read.${outside}`;
}

/** The story of the one job that was asked for. */
export function askedStory({ run, stories }: Analysis): JobStory | undefined {
  return run.options.some((option) => option.startsWith('--job ')) ? stories[0] : undefined;
}
