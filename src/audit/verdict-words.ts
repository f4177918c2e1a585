/** What is said of one key, verdict by verdict, from the columns of `key_verdicts`. */
import { RECORD_VERDICT_NAMES, type RecordKey, type RecordVerdict } from '../model/records-audit.js';
import { durationText } from '../story/moments.js';

/** Columns of `key_verdicts` in the order of `RECORD_VERDICT_NAMES`: a flag, or who tells it (1 records, 2 evidence, 3 both). */
export const VERDICT_COLUMNS: Readonly<Record<RecordVerdict, string>> = {
  'done-twice': 'done_twice',
  overlapping: 'overlapping',
  regressed: 'regressing',
  'enqueued-twice': 'enqueued_twice::INTEGER',
  'fingerprint-differs': 'other_request::INTEGER',
  'key-holds-attempt': 'holds_attempt::INTEGER',
  'states-differ': '3 * states_differ::INTEGER',
  'execution-without-record': '0',
  'record-without-execution': '3 * unexecuted::INTEGER',
  'unfinished-or-step': 'unfinished::INTEGER',
  retried: 'retry::INTEGER',
};

type Basis = RecordKey['verdicts'][number]['basis'];
const BASES: readonly (Basis | undefined)[] = [undefined, 'records', 'evidence', 'both'];

/** The facts of a key that its sentences tell. */
export interface KeyFacts {
  readonly rows: number;
  readonly ended: number;
  readonly jobs: number;
  readonly openRows: number;
  readonly tellsEnd: boolean;
  readonly near: boolean;
  readonly expired: boolean;
  readonly overlapMs?: number;
  readonly leftCheckpoint?: number;
  readonly resumed?: number;
  /** What became of its job, as the evidence shows it. */
  readonly outcome?: string;
  readonly seen: number;
  readonly moves: number;
  readonly failures: number;
  readonly executions?: number;
  readonly findings: readonly string[];
}

const rowsText = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

/** `told`: who tells each verdict, in the order of the names, 0 for one that is not given. */
export function verdictsOf(told: readonly number[], facts: KeyFacts): RecordKey['verdicts'] {
  return RECORD_VERDICT_NAMES.flatMap((verdict, i) => {
    const basis = BASES[told[i] ?? 0];
    return basis === undefined ? [] : [{ verdict, basis, says: SAYS[verdict](facts, basis) }];
  });
}

const SAYS: Readonly<Record<RecordVerdict, (facts: KeyFacts, basis: Basis) => string>> = {
  'done-twice': (facts, basis) =>
    [
      basis === 'evidence'
        ? `the evidence shows two runs that reached the end; the records have ${rowsText(facts.rows)}`
        : `${rowsText(facts.ended)} tell of a run that reached the end`,
      facts.near ? 'whether they overlapped lies within what two clocks may differ' : '',
      facts.expired ? 'the key had expired before the later run began' : '',
    ]
      .filter((part) => part !== '')
      .join('; '),
  overlapping: ({ overlapMs }, basis) =>
    basis === 'evidence'
      ? 'the evidence shows two runs at once; the clocks of the records do not'
      : `a run began before an earlier one had ended${overlapMs === undefined ? '' : `, and both went on for ${durationText(Math.round(overlapMs))}`}`,
  regressed: ({ leftCheckpoint, resumed }, basis) =>
    basis === 'evidence'
      ? 'the evidence shows a run that began behind the last progress recorded before it'
      : `a run began from ${resumed ?? '?'} after an unfinished one had recorded ${leftCheckpoint ?? '?'}`,
  'enqueued-twice': ({ jobs }) => `${jobs} jobs carry this key`,
  'fingerprint-differs': () => 'its rows carry different fingerprints: one key for two requests',
  'key-holds-attempt': () => 'each attempt wrote a key of its own, so none could stop the next',
  'states-differ': ({ ended, outcome }) =>
    `the records say ${ended > 0 ? 'ended' : 'not ended'}, the queue says ${outcome ?? 'otherwise'}`,
  'execution-without-record': ({ outcome }) => `the queue shows the job as ${outcome ?? 'run'}, and no record names it`,
  'record-without-execution': () => 'no record of Redis shows such a job, although one was watching at that time',
  'unfinished-or-step': unfinished,
  retried: () => 'a later attempt followed one that failed or was counted',
};

/** Begun and not ended: what the evidence adds decides as far as it goes. */
function unfinished({ openRows, tellsEnd, seen, moves, failures, outcome, findings }: KeyFacts): string {
  const what = tellsEnd ? `${rowsText(openRows)} begun and never ended` : 'this store tells no ends';
  if (findings.length > 0) return `${what}; the finding says why`;
  if (seen === 0) return `${what}: whether the run died, still goes on or was a step cannot be told from records alone`;
  if (moves > 0 && failures === 0) return `${what}: a step, the queue shows that its job was moved and taken up again`;
  if (failures > 0) return `${what}: the queue shows a recorded failure`;
  if (outcome === 'active') return `${what}: the queue shows the job as active still`;
  return `${what}: the evidence shows no second run and no failure of this job`;
}
