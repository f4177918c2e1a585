/** Whether a fix is proven: the answer, and each check with what it rests on. */
import type { Check } from '../../model/analysis.js';
import type { ProofOutcome } from '../../model/proof.js';
import type { ReportContext } from '../context.js';
import { countText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeList, columns, type Part, type TableView, type Tone, table, text } from '../parts.js';
import { consequenceSteps, type StepView } from './witness.js';

export interface ProofCheckView {
  readonly asks: string;
  readonly outcome: string;
  readonly tone: Tone;
  readonly says: string;
  readonly needed: boolean;
  readonly before: readonly string[];
  readonly missing: readonly string[];
  readonly steps: readonly StepView[];
}

interface ProofAnswer {
  readonly verdict: string;
  readonly tone: Tone;
  readonly sentence: string;
  readonly more: readonly string[];
}

export interface ProofView {
  readonly table: TableView;
  readonly checks: readonly ProofCheckView[];
}

export const OUTCOME_WORDS: Readonly<Record<ProofOutcome, string>> = {
  fails: 'fails',
  'cannot-tell': 'cannot tell',
  holds: 'holds',
  'not-applicable': 'not asked',
};
/** Colour families are those of findings: what fails is as alarming as what is shown. */
const TONES: Readonly<Record<ProofOutcome, Tone>> = {
  fails: 'shown',
  'cannot-tell': 'cannot-tell',
  holds: 'plain',
  'not-applicable': 'plain',
};

/** Undefined where nothing was to be proven. */
export function proof(context: ReportContext): ProofView | undefined {
  const checks = context.analysis.proof;
  if (checks === undefined) return undefined;
  const heads = columns('Check', 'Outcome', 'What is said', '#Path walked', 'Asked by', 'Records');
  return {
    table: table(
      'Checks on the recording after the fix',
      heads,
      checks.map((check) => row(check, context)),
      CAPS.tableRows,
      'analysis.json',
    ),
    checks: checks
      .filter(({ outcome }) => outcome !== 'not-applicable')
      .map((check) => ({
        asks: sentence(check.asks),
        outcome: OUTCOME_WORDS[check.outcome],
        tone: TONES[check.outcome],
        says: sentence(check.says),
        needed: check.needed,
        before: check.before,
        missing: check.missing,
        steps: consequenceSteps(check.records, context),
      })),
  };
}

function row(check: Check, context: ReportContext): Cell[] {
  return [
    cell(sentence(check.asks)),
    [outcomePart(check.outcome)],
    cell([sentence(check.says), ...check.missing.map((what) => `Missing: ${what}`)].join('. ')),
    cell(check.exercised === undefined ? '' : countText(check.exercised)),
    check.findings.length === 0 ? cell('no finding') : codeList(check.findings, CAPS.refsPerCell),
    codeList(
      check.records.map(({ ref }) => context.ref(ref)),
      CAPS.refsPerCell,
    ),
  ];
}

const outcomePart = (outcome: ProofOutcome): Part => {
  const word = OUTCOME_WORDS[outcome];
  const tone = TONES[outcome];
  return tone === 'plain' ? text(word) : { text: word, style: 'badge', tone, href: undefined };
};

/** The answer of a proof; undefined where nothing was to be proven. */
export function proofAnswer({ analysis }: ReportContext): ProofAnswer | undefined {
  const checks = analysis.proof;
  if (checks === undefined) return undefined;
  const needed = checks.filter((check) => check.needed);
  const count = (outcome: ProofOutcome): number => checks.filter((check) => check.outcome === outcome).length;
  const failed = checks.filter(({ outcome }) => outcome === 'fails');
  const open = needed.filter(({ outcome }) => outcome === 'cannot-tell');
  const counted = `${plural(checks.length, 'check')}: ${count('holds')} hold, ${count('fails')} fail, ${count('cannot-tell')} cannot be told, ${count('not-applicable')} not asked.`;
  if (failed.length > 0)
    return { verdict: 'The fix does not hold', tone: 'shown', sentence: counted, more: failed.slice(0, 3).map(says) };
  if (needed.length === 0)
    return {
      verdict: 'Nothing to prove',
      tone: 'plain',
      sentence: 'The recording before the fix shows no finding.',
      more: [],
    };
  if (open.length > 0)
    return {
      verdict: 'The fix is not proven',
      tone: 'cannot-tell',
      sentence: counted,
      more: open.slice(0, 3).map(says),
    };
  return {
    verdict: 'The fix is proven as far as this recording goes',
    tone: 'plain',
    sentence: counted,
    more: [],
  };
}

const says = ({ says: said }: Check): string => `${sentence(said)}.`;

/** Without its full stop, which the outputs set. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}`;
