/** Reads the keys with a verdict back, one by one, the gravest first. */
import type { CaseFile, Row } from '../casefile/case-file.js';
import type { JobStory } from '../model/analysis.js';
import { PRECISIONS } from '../model/event.js';
import { RECORD_STATES, RECORD_VERDICT_NAMES, type RecordKey, type RecordRow } from '../model/records-audit.js';
import { formatUtc } from '../time/index.js';
import { MOST_JOBS_OF_KEY } from './judge.js';
import { matchExecutions } from './match-executions.js';
import { VERDICT_COLUMNS, verdictsOf } from './verdict-words.js';

/** Rows shown of one key. */
const MOST_ROWS = 10;

export interface KeyLookups {
  /** Path of a source as the analysis names it. */
  readonly pathOf: (source: number) => string;
  readonly storyOf: (queue: string | undefined, job: string) => JobStory | undefined;
}

const ROW_FIELDS =
  'source, line, off, entry, redis_key, job, attempt, worker, status, state, started, started_prec, completed, completed_prec, checkpoint, resumed';

/** A list of so many at most is put together for those keys alone. */
const keysSql = (limit: number | undefined): string => `
  WITH graded AS (
    SELECT *, [${RECORD_VERDICT_NAMES.map((name) => VERDICT_COLUMNS[name]).join(', ')}]::INTEGER[] AS told FROM key_verdicts
  ), listed AS (
    SELECT *, ${GRAVEST} AS gravest FROM graded WHERE list_max(told) > 0
    ${limit === undefined ? '' : `ORDER BY ${IN_ORDER} LIMIT ${limit}`}
  ), shown AS (
    SELECT h, list_sort(list(DISTINCT job) FILTER (job IS NOT NULL))[:${MOST_JOBS_OF_KEY}] AS job_ids,
      list({${ROW_FIELDS.split(', ')
        .map((name) => `'${name}': ${name}`)
        .join(', ')}} ORDER BY at_ms NULLS LAST, source, line, nr)[:${MOST_ROWS}] AS row_list
    FROM run_rows WHERE h IN (SELECT h FROM listed) GROUP BY h
  )
  SELECT l.* EXCLUDE (h, told, findings), to_json(l.told)::VARCHAR AS told, to_json(coalesce(l.findings, []))::VARCHAR AS findings,
    to_json(coalesce(s.job_ids, []))::VARCHAR AS job_ids, to_json(s.row_list)::VARCHAR AS row_list
  FROM listed l JOIN shown s USING (h) ORDER BY ${IN_ORDER}`;

const GRAVEST = 'list_position(list_transform(told, lambda one: one > 0), true)';
const IN_ORDER = 'gravest, queue NULLS FIRST, scope NULLS FIRST, key';

/** Tells `take` each key that has a verdict; `limit`: no more than so many. Jobs that left no record come last. */
export async function readKeys(
  file: CaseFile,
  lookups: KeyLookups,
  take: (key: RecordKey) => void,
  limit?: number,
): Promise<void> {
  for await (const rows of file.stream(keysSql(limit))) for (const row of rows) take(keyOf(row, lookups));
  const unrecorded = await file.query(
    `SELECT queue, job, outcome FROM unrecorded ORDER BY queue, job ${limit === undefined ? '' : `LIMIT ${limit}`}`,
  );
  for (const row of unrecorded) take(unrecordedKey(row));
}

/** Keys with any verdict, and jobs without a record. */
export async function countKeys(file: CaseFile): Promise<number> {
  const flags = RECORD_VERDICT_NAMES.map((name) => VERDICT_COLUMNS[name]).join(' + ');
  const sql = `SELECT (SELECT count(*) FROM key_verdicts WHERE ${flags} > 0) + (SELECT count(*) FROM unrecorded) AS n`;
  return Number((await file.query(sql))[0]?.n);
}

const count = (value: unknown): number => Number(value ?? 0);
const numberOf = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);
const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value);
const jsonList = (value: unknown): unknown[] => {
  const parsed: unknown = JSON.parse(String(value));
  return Array.isArray(parsed) ? parsed : [];
};

function keyOf(row: Row, lookups: KeyLookups): RecordKey {
  const queue = textOf(row.queue);
  const scope = textOf(row.scope);
  const jobs = jsonList(row.job_ids).map(String);
  const findings = jsonList(row.findings).map(String);
  const [overlapMs, leftCheckpoint, resumed] = [row.overlap_ms, row.left_checkpoint, row.resumed].map(numberOf);
  const [outcome, executions] = [textOf(row.outcome), numberOf(row.executions)];
  const facts = {
    rows: count(row.rows),
    ended: count(row.ended),
    jobs: count(row.jobs),
    openRows: count(row.open_rows),
    tellsEnd: row.tells_end === true,
    near: row.near === true,
    expired: row.expired === true,
    seen: count(row.seen),
    moves: count(row.moves),
    failures: count(row.failures),
    findings,
    ...(overlapMs === undefined ? {} : { overlapMs }),
    ...(leftCheckpoint === undefined ? {} : { leftCheckpoint }),
    ...(resumed === undefined ? {} : { resumed }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(executions === undefined ? {} : { executions }),
  };
  return {
    key: String(row.key),
    ...(scope === undefined ? {} : { scope }),
    ...(queue === undefined ? {} : { queue }),
    jobs,
    verdicts: verdictsOf(jsonList(row.told).map(Number), facts),
    rows: facts.rows,
    ended: facts.ended,
    shown: shownRows(jsonList(row.row_list), queue, lookups),
    findings,
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function shownRows(rows: readonly unknown[], queue: string | undefined, { pathOf, storyOf }: KeyLookups): RecordRow[] {
  const fields = rows.filter(isFields);
  const executions = new Map<Fields, number>();
  for (const job of new Set(fields.map((row) => textOf(row.job)))) {
    if (job === undefined) continue;
    const own = fields.filter((row) => row.job === job);
    const starts = own.map((row) => {
      const [worker, startedMs] = [textOf(row.worker), numberOf(row.started)];
      return { ...(worker === undefined ? {} : { worker }), ...(startedMs === undefined ? {} : { startedMs }) };
    });
    matchExecutions(starts, storyOf(queue, job)).forEach((n, i) => {
      const row = own[i];
      if (n !== undefined && row !== undefined) executions.set(row, n);
    });
  }
  return fields.map((row) => shownRow(row, pathOf, executions.get(row)));
}

function shownRow(row: Fields, pathOf: KeyLookups['pathOf'], execution: number | undefined): RecordRow {
  const [line, offset] = [numberOf(row.line), numberOf(row.off)];
  const [entry, key] = [textOf(row.entry), textOf(row.redis_key)];
  const [job, worker, status] = [textOf(row.job), textOf(row.worker), textOf(row.status)];
  const [attempt, checkpoint, resumed] = [row.attempt, row.checkpoint, row.resumed].map(numberOf);
  const started = momentText(row.started, row.started_prec);
  const completed = momentText(row.completed, row.completed_prec);
  return {
    ref: {
      source: pathOf(count(row.source)),
      ...(line === undefined ? {} : { line }),
      ...(entry === undefined ? {} : { entry }),
      ...(offset === undefined ? {} : { offset }),
      ...(key === undefined ? {} : { key }),
    },
    state: RECORD_STATES[count(row.state)] ?? 'unknown',
    ...(job === undefined ? {} : { job }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(worker === undefined ? {} : { worker }),
    ...(status === undefined ? {} : { status }),
    ...(started === undefined ? {} : { started }),
    ...(completed === undefined ? {} : { completed }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(resumed === undefined ? {} : { resumed }),
    ...(execution === undefined ? {} : { execution }),
  };
}

const momentText = (ms: unknown, precision: unknown): string | undefined =>
  ms === null || ms === undefined ? undefined : formatUtc(Number(ms), PRECISIONS[count(precision)] ?? 'ms');

/** A job that the queue shows to have run, and no record names: it has no key that could be told. */
function unrecordedKey(row: Row): RecordKey {
  const queue = textOf(row.queue);
  const facts = { rows: 0, ended: 0, jobs: 1, openRows: 0, tellsEnd: true, near: false, expired: false };
  const seen = { seen: 1, moves: 0, failures: 0, findings: [], outcome: textOf(row.outcome) ?? 'run' };
  const told = RECORD_VERDICT_NAMES.map((name) => (name === 'execution-without-record' ? 2 : 0));
  return {
    ...(queue === undefined ? {} : { queue }),
    jobs: [String(row.job)],
    verdicts: verdictsOf(told, { ...facts, ...seen }),
    rows: 0,
    ended: 0,
    shown: [],
    findings: [],
  };
}
