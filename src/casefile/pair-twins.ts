/**
 * Finds jobs of one queue that seem to be one piece of work (see model/twin.ts).
 *
 * Equal names, or equal payloads of jobs that nobody scheduled, are no sign: a customer may be sent two mails. An idempotency key
 * is the application's own word for one piece of work. The ids of a scheduler's jobs name the scheduler and the slot (BullMQ and
 * Bull: `repeat:<scheduler>:<ms>`), and a scheduler makes its next job only when the last one begins.
 */
import { EVENT_KINDS, type EventKind } from '../model/event.js';
import { QUEUE_SETS, type QueueSet } from '../model/fact.js';
import { TWIN_KINDS } from '../model/twin.js';
import type { CaseFile } from './case-file.js';
import { dataField } from './data-field.js';

const code = (kind: EventKind): number => EVENT_KINDS.indexOf(kind);
const setCodes = (...sets: QueueSet[]): string => sets.map((set) => QUEUE_SETS.indexOf(set)).join(', ');

/** A key that so many jobs have names no piece of work. */
const MOST_OF_A_KEY = 20;
const MOST_PAIRS = 2000;
/** MONITOR tells of an entry this long before or after its id, ms. */
const ROUTES_APART_MS = 100;

/** Makes the temporary table `twins` and fills the column of that name in `job_summary`. */
export async function pairTwins(file: CaseFile): Promise<void> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE twins (q INTEGER, job INTEGER, twin INTEGER, kind INTEGER);
    CREATE OR REPLACE TEMP TABLE keys AS
      SELECT id, ${dataField('text', 'key')} AS key FROM strings WHERE text LIKE '{%"key":%';
    CREATE OR REPLACE TEMP TABLE slots AS
      SELECT s.q, s.job, regexp_extract(t.text, '^repeat:(.+):[0-9]+$', 1) AS scheduler,
        TRY_CAST(regexp_extract(t.text, ':([0-9]+)$', 1) AS DOUBLE) AS slot, s.activations + s.starts > 0 AS ran
      FROM (SELECT id, text FROM strings WHERE text LIKE 'repeat:%:%') t JOIN job_summary s ON s.job = -t.id
      WHERE regexp_full_match(t.text, 'repeat:.+:[0-9]+');`);
  const found = await file.query('SELECT (SELECT count(key) FROM keys) AS keys, (SELECT count(*) FROM slots) AS slots');
  if (Number(found[0]?.keys) > 0) await pairKeys(file);
  if (Number(found[0]?.slots) > 1) await pairSlots(file);
  await file.run(`
    UPDATE job_summary SET twins = r.n FROM (SELECT q, job, count(DISTINCT twin)::INTEGER AS n FROM twins GROUP BY q, job) r
    WHERE job_summary.q = r.q AND job_summary.job = r.job`);
}

async function pairKeys(file: CaseFile): Promise<void> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE keyed AS
      SELECT DISTINCT e.q, e.job, k.key FROM ev e JOIN keys k ON k.id = e.data WHERE e.job IS NOT NULL AND k.key IS NOT NULL;
    INSERT INTO twins FROM (
      WITH shared AS (
        SELECT q, key FROM keyed GROUP BY q, key HAVING count(*) BETWEEN 2 AND ${MOST_OF_A_KEY}
      ) SELECT a.q, a.job, b.job, ${TWIN_KINDS.indexOf('same-key')} FROM keyed a SEMI JOIN shared s ON s.q = a.q AND s.key = a.key
        JOIN keyed b ON b.q = a.q AND b.key = a.key AND b.job <> a.job ORDER BY a.key, a.job, b.job
    ) LIMIT ${MOST_PAIRS};`);
}

async function pairSlots(file: CaseFile): Promise<void> {
  await file.run(`
    CREATE OR REPLACE TEMP TABLE slot_lives AS
      WITH lived AS (
        SELECT s.q, s.job, s.scheduler, e.kind, e.t, min(e.t) FILTER (e.kind = ${code('active')}) OVER (PARTITION BY s.q, s.job) AS active
        FROM slots s JOIN ev e ON e.q = s.q AND e.job = s.job
        WHERE e.clock = 0 AND e.kind IN (${code('added')}, ${code('active')})
      ) SELECT q, job, scheduler, any_value(active) AS active, max(t) FILTER (kind = ${code('added')} AND t <= active) AS added
        FROM lived GROUP BY q, job, scheduler;
    -- As it was set up last.
    CREATE OR REPLACE TEMP TABLE schedulers AS
      SELECT source, queue, value[:16] AS digest, substr(value, 18) AS id FROM meta WHERE field = 'scheduler'
      QUALIFY row_number() OVER (PARTITION BY source, queue, substr(value, 18) ORDER BY off DESC, value) = 1;
    -- Not begun, and not waiting for another attempt.
    CREATE OR REPLACE TEMP TABLE slot_waits AS
      SELECT DISTINCT s.q, s.job, s.scheduler, m.source FROM slots s JOIN members m ON m.queue = s.q AND m.job = s.job
      JOIN job_facts f ON f.source = m.source AND f.queue = m.queue AND f.job = m.job
      WHERE m.set IN (${setCodes('wait', 'paused', 'prioritized', 'delayed')}) AND f.processed_on IS NULL
        AND coalesce(f.attempts_started, 0) = 0;
    INSERT INTO twins FROM (
      WITH alike AS (
        SELECT DISTINCT a.queue AS q, a.id AS one, b.id AS other FROM schedulers a
        JOIN schedulers b ON b.source = a.source AND b.queue = a.queue AND b.digest = a.digest AND b.id <> a.id
      ), pairs AS (
        SELECT x.q, x.job, y.job AS twin, ${TWIN_KINDS.indexOf('same-schedule')} AS kind FROM slots x JOIN alike a ON a.q = x.q AND a.one = x.scheduler
        JOIN slots y ON y.q = x.q AND y.scheduler = a.other AND y.slot = x.slot WHERE x.ran AND y.ran
        UNION SELECT x.q, x.job, y.job, ${TWIN_KINDS.indexOf('same-scheduler')} FROM slot_waits x
        JOIN slot_waits y ON y.q = x.q AND y.scheduler = x.scheduler AND y.source = x.source AND y.job <> x.job
        UNION SELECT x.q, x.job, y.job, ${TWIN_KINDS.indexOf('same-scheduler')} FROM slot_lives x JOIN slot_lives y ON y.q = x.q AND y.scheduler = x.scheduler AND y.job <> x.job
        WHERE x.added + ${ROUTES_APART_MS} < y.active AND y.added + ${ROUTES_APART_MS} < x.active
          AND x.added + ${ROUTES_APART_MS} < x.active AND y.added + ${ROUTES_APART_MS} < y.active
      ) FROM pairs ORDER BY ALL
    ) LIMIT ${MOST_PAIRS};`);
}
