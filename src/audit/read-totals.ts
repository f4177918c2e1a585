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
): Promise<Pick<RecordsAudit, 'totals' | 'queues' | 'verdicts'>> {
  const queues = await readQueues(file);
  const verdicts = addUp(queues.map((queue) => queue.verdicts));
  if (unfinishedLeftOut > 0) verdicts['unfinished-or-step'] = (verdicts['unfinished-or-step'] ?? 0) + unfinishedLeftOut;
  const [row] = await file.query(`
    SELECT count(*) AS "rows", count(*) FILTER (h IS NULL) AS without_key,
      (SELECT count(DISTINCT h) FROM census WHERE h IS NOT NULL AND j IN (SELECT j FROM ev_jobs)) AS with_evidence FROM census`);
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
    WITH names AS (SELECT DISTINCT queue, CASE WHEN queue IS NULL THEN 0 ELSE hash(queue) END AS q FROM record_rows)
    SELECT n.queue, c.q::VARCHAR AS q, count(*) AS "rows",
      count(*) FILTER (c.h IS NOT NULL AND c.h NOT IN (FROM repeated_keys)) + count(DISTINCT c.h) FILTER (c.h IN (FROM repeated_keys)) AS keys,
      ${(['ended', 'failed', 'begun'] as const).map((state) => `count(*) FILTER (c.state = ${stateCode(state)}) AS ${state}`).join(', ')},
      min(c.at_ms) AS from_ms, max(c.at_ms) AS to_ms
    FROM census c LEFT JOIN names n ON n.q = c.q GROUP BY ALL ORDER BY n.queue NULLS LAST, c.q`);
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
    WITH own AS (SELECT source, h FROM census WHERE h IN (FROM repeated_keys) GROUP BY source, h HAVING count(*) > 1)
    SELECT s.source, s.source IN (SELECT source FROM own) AS repeats,
      EXISTS (FROM census c WHERE c.source = s.source AND c.later AND c.h NOT IN (FROM repeated_keys)) AS later_alone
    FROM (SELECT DISTINCT source FROM record_stores) s`);
  return new Map(
    rows.map((row) => [Number(row.source), { repeats: row.repeats === true, laterAlone: row.later_alone === true }]),
  );
}
