/** The audit in numbers: rows and keys of each queue, verdicts of all. */
import type { CaseFile } from '../casefile/case-file.js';
import {
  RECORD_VERDICT_NAMES,
  type RecordQueue,
  type RecordsAudit,
  type RecordVerdict,
} from '../model/records-audit.js';
import { formatUtc } from '../time/index.js';
import { stateCode } from './tables.js';
import { VERDICT_COLUMNS } from './verdict-words.js';

type Verdicts = Partial<Record<RecordVerdict, number>>;

/** Needs `judgeRecords`. `unfinishedLeftOut`: keys begun and not ended that were counted only. */
export async function readTotals(
  file: CaseFile,
  repeated: number,
  unfinishedLeftOut: number,
  hasEvidence: boolean,
): Promise<Pick<RecordsAudit, 'totals' | 'queues' | 'verdicts'>> {
  const queues = await readQueues(file);
  const verdicts = addUp(queues.map((queue) => queue.verdicts));
  if (unfinishedLeftOut > 0) verdicts['unfinished-or-step'] = (verdicts['unfinished-or-step'] ?? 0) + unfinishedLeftOut;
  const [row] = await file.query(`
    SELECT count(*) AS "rows", count(*) - count(h) AS without_key,
      ${hasEvidence ? '(SELECT count(DISTINCT h) FROM census WHERE h IS NOT NULL AND j IN (SELECT j FROM ev_jobs))' : '0'} AS with_evidence FROM census`);
  return {
    queues,
    verdicts,
    totals: {
      rows: Number(row?.rows) - repeated,
      keys: queues.reduce((sum, queue) => sum + queue.keys, 0),
      repeated,
      withoutKey: Number(row?.without_key),
      withEvidence: Number(row?.with_evidence),
    },
  };
}

function addUp(all: readonly Verdicts[]): Verdicts {
  const sums: Verdicts = {};
  for (const name of RECORD_VERDICT_NAMES) {
    const sum = all.reduce((total, one) => total + (one[name] ?? 0), 0);
    if (sum > 0) sums[name] = sum;
  }
  return sums;
}

/** Keys that stand once need no counting of distinct values: only those that are repeated do. */
async function readQueues(file: CaseFile): Promise<RecordQueue[]> {
  const counted = await file.query(`
    WITH names AS (SELECT DISTINCT queue, CASE WHEN queue IS NULL THEN 0 ELSE hash(queue) END AS q FROM record_rows),
    queues AS (
      SELECT q, count(*) AS "rows", count(h) AS named, min(at_ms) AS from_ms, max(at_ms) AS to_ms,
        ${(['ended', 'failed', 'begun'] as const).map((state) => `count(*) FILTER (state = ${stateCode(state)}) AS ${state}`).join(', ')}
      FROM census GROUP BY q
    ), repeated AS (
      SELECT q, count(*) AS "rows", count(DISTINCT h) AS keys FROM wanted_rows WHERE h IN (FROM repeated_keys) GROUP BY q
    )
    SELECT n.queue, q.*, q.named - coalesce(r."rows", 0) + coalesce(r.keys, 0) AS keys
    FROM queues q LEFT JOIN names n ON n.q = q.q LEFT JOIN repeated r ON r.q = q.q ORDER BY n.queue NULLS LAST, q.q`);
  const verdicts = await file.query(`
    SELECT queue, ${RECORD_VERDICT_NAMES.map((name) => `count(*) FILTER (${VERDICT_COLUMNS[name]} > 0) AS "${name}"`).join(', ')}
    FROM key_verdicts GROUP BY queue`);
  const unrecorded = await file.query('SELECT queue, count(*) AS n FROM unrecorded GROUP BY queue');
  return counted.map((row): RecordQueue => {
    const mine = verdicts.find((one) => one.queue === row.queue);
    const lost = Number(unrecorded.find((one) => one.queue === row.queue)?.n ?? 0);
    const told: Verdicts = {};
    for (const name of RECORD_VERDICT_NAMES) {
      const count = Number(mine?.[name] ?? 0) + (name === 'execution-without-record' ? lost : 0);
      if (count > 0) told[name] = count;
    }
    return {
      ...(row.queue === null ? {} : { queue: String(row.queue) }),
      rows: Number(row.rows),
      keys: Number(row.keys),
      ended: Number(row.ended),
      failed: Number(row.failed),
      begun: Number(row.begun),
      ...(row.from_ms === null ? {} : { from: formatUtc(Number(row.from_ms), 'ms') }),
      ...(row.to_ms === null ? {} : { to: formatUtc(Number(row.to_ms), 'ms') }),
      verdicts: told,
    };
  });
}

/** Sources in which a key stands more than once, and those in which a key that stands once is of a later attempt. */
export async function readHabits(
  file: CaseFile,
): Promise<ReadonlyMap<number, { readonly repeats: boolean; readonly laterAlone: boolean }>> {
  const rows = await file.query(`
    WITH own AS (
      SELECT DISTINCT source FROM (SELECT source, h FROM wanted_rows WHERE h IS NOT NULL GROUP BY source, h HAVING count(*) > 1)
    ), later AS (
      SELECT DISTINCT c.source FROM census c ANTI JOIN repeated_keys r ON r.h = c.h WHERE c.later
    )
    SELECT s.source, s.source IN (FROM own) AS repeats, s.source IN (FROM later) AS later_alone
    FROM first_rows s`);
  return new Map(
    rows.map((row) => [Number(row.source), { repeats: row.repeats === true, laterAlone: row.later_alone === true }]),
  );
}
