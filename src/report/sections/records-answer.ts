/** The answer where idempotency records were given: by themselves, or beside what the evidence shows. */
import type { Analysis } from '../../model/analysis.js';
import { DOUBLED, RECORD_VERDICT_NAMES, type RecordsAudit } from '../../model/records-audit.js';
import type { ReportContext } from '../context.js';
import { countText, plural } from '../durations.js';
import type { Tone } from '../parts.js';
import type { NumberView } from './number-view.js';
import { recordsSentence, VERDICT_WORDS } from './records.js';

/** Whether anything but records was read. */
export const hasEvidence = ({ sources }: Analysis): boolean => sources.some((source) => source.kind !== 'records');

interface RecordsAnswer {
  readonly verdict: string;
  readonly tone: Tone;
  readonly sentence: string;
  readonly more: readonly string[];
}

/** The whole answer where no boundary was found broken; undefined where no records were given. */
export function recordsAnswer({ analysis }: ReportContext): RecordsAnswer | undefined {
  const audit = analysis.records;
  if (audit === undefined) return undefined;
  const gravest = DOUBLED.find((name) => audit.verdicts[name] !== undefined);
  const doubt = audit.stores.flatMap((store) => (store.keeps === 'row-per-run' ? [] : store.cannotTell.slice(0, 1)));
  return {
    verdict:
      gravest === undefined
        ? nothingDoubled(audit)
        : `${plural(audit.verdicts[gravest] ?? 0, 'key')} ${VERDICT_WORDS[gravest]}`,
    tone: gravest === undefined ? 'plain' : 'shown',
    sentence: recordsSentence(audit),
    more: [
      ...(hasEvidence(analysis)
        ? ['The evidence shows no failed boundary for them.']
        : ['From records alone: which boundary failed is decided by worker logs, dump.rdb or AOF, given beside them.']),
      ...[...new Set(doubt)].map((what) => `They cannot tell ${what}.`),
    ],
  };
}

function nothingDoubled(audit: RecordsAudit): string {
  const isBlind = audit.stores.some((store) => store.keeps === 'row-per-key');
  return isBlind ? 'No doubled record, but this store could not show one' : 'No doubled record';
}

/** What is added to the answer that the evidence gives. */
export function recordsText({ records: audit }: Analysis): string {
  return audit === undefined ? '' : `Idempotency records: ${recordsSentence(audit)}`;
}

/** Impact in numbers by the records. */
export function recordNumbers({ records: audit }: Analysis): NumberView[] {
  if (audit === undefined) return [];
  const seen = {
    label: 'Keys',
    value: countText(audit.totals.keys),
    note: plural(audit.totals.rows, 'row of records', 'rows of records'),
    alarming: false,
  };
  return [
    seen,
    ...RECORD_VERDICT_NAMES.filter((name) => DOUBLED.includes(name) || audit.verdicts[name] !== undefined).map(
      (name) => {
        const count = audit.verdicts[name] ?? 0;
        return {
          label: `Keys: ${name}`,
          value: countText(count),
          note: VERDICT_WORDS[name],
          alarming: count > 0 && DOUBLED.includes(name),
        };
      },
    ),
  ];
}
