/** Reads back everything about some jobs, in the order that the story works in. */
import { CLOCK_KINDS, EVENT_KINDS, type EventData, PRECISIONS } from '../model/event.js';
import { QUEUE_SETS, type QueueSet, SCORE_PER_MS } from '../model/fact.js';
import type { JobRecord, StoredEvent, StoredJobFacts, StoredSource } from '../model/stored.js';
import type { CaseFile, Row } from './case-file.js';
import type { Suspect } from './triage.js';

const NO_DATA: EventData = {};

const num = (value: unknown): number | undefined => (value === null || value === undefined ? undefined : Number(value));
const text = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

/** Columns that `toStoredEvent` needs, of a query over `ev e`. */
export const EVENT_SELECT = `
  e.source, e.kind, e.learned, e.clock, e.prec, e.t, e.line, e.off, e.process, qs.text AS queue,
  CASE WHEN e.job >= 0 THEN CAST(e.job AS VARCHAR) ELSE js.text END AS job, ts.text AS token, ds.text AS data`;
export const EVENT_JOINS = `
  LEFT JOIN strings qs ON qs.id = e.q AND e.q <> 0 LEFT JOIN strings js ON js.id = -e.job
  LEFT JOIN strings ts ON ts.id = e.token AND e.token <> 0 LEFT JOIN strings ds ON ds.id = e.data AND e.data <> 0`;

/** A row of the case file as an event. `sources` by id. */
export function toStoredEvent(row: Row, sources: ReadonlyMap<number, StoredSource>): StoredEvent | undefined {
  const source = sources.get(Number(row.source));
  const kind = EVENT_KINDS[Number(row.kind)];
  if (source === undefined || kind === undefined) return undefined;
  const t = num(row.t);
  const queue = text(row.queue);
  const job = text(row.job);
  const token = text(row.token);
  const data = text(row.data);
  return {
    source,
    kind,
    clock: CLOCK_KINDS[Number(row.clock)] ?? 'worker',
    precision: PRECISIONS[Number(row.prec)] ?? 'none',
    ...(t === undefined ? {} : { t }),
    ...(queue === undefined ? {} : { queue }),
    ...(job === undefined ? {} : { job }),
    process: Number(row.process),
    ...(token === undefined ? {} : { token }),
    data: readData(data, row.learned === true),
    line: Number(row.line),
    offset: Number(row.off),
  };
}

/** Learned words are never more than soft: their place told what they mean, no event name did. */
function readData(text: string | undefined, learned: boolean): EventData {
  const data = text === undefined ? NO_DATA : (JSON.parse(text) as EventData);
  return learned ? { ...data, soft: true } : data;
}

/** Time, then source in its fixed order, then place in the source; a record without any time goes first. */
export function compareEvents(a: StoredEvent, b: StoredEvent): number {
  return (a.t ?? 0) - (b.t ?? 0) || compareText(a.source.path, b.source.path) || a.line - b.line || a.offset - b.offset;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface OpenFacts {
  facts: StoredJobFacts;
  states: QueueSet[];
}

/** Records of many jobs, some hundreds at a time: memory follows the batch. `first` is the number of its first suspect. */
export async function* readJobsInBatches(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
  size: number,
): AsyncGenerator<{ readonly first: number; readonly records: readonly JobRecord[] }> {
  // One pass over all events puts those of the suspects together; a pass for each batch took minutes where there were many.
  const isMany = suspects.length > size;
  if (isMany) {
    await file.run('CREATE OR REPLACE TEMP TABLE all_wanted (n INTEGER, q INTEGER, job INTEGER)');
    const writer = await file.append('all_wanted', [
      ['n', 'INTEGER'],
      ['q', 'INTEGER'],
      ['job', 'INTEGER'],
    ]);
    for (const [n, { q, job }] of suspects.entries()) writer.push([n, q, job]);
    writer.close();
    await file.run(`CREATE OR REPLACE TEMP TABLE suspect_events AS
      SELECT w.n, e.* FROM all_wanted w JOIN ev e ON e.q = w.q AND e.job = w.job ORDER BY w.n`);
  }
  for (let first = 0; first < suspects.length; first += size) {
    const batch = suspects.slice(first, first + size);
    yield { first, records: await readBatch(file, batch, sources, isMany ? first : undefined) };
  }
}

/** The records of a few hundred suspects, in their order. */
export const readJobs = (
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
): Promise<JobRecord[]> => readBatch(file, suspects, sources);

/** @param first number of the first suspect in `suspect_events`; absent: their events are looked for among all */
async function readBatch(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
  first?: number,
): Promise<JobRecord[]> {
  if (suspects.length === 0) return [];
  const wanted = suspects.map((suspect, n) => `(${n}, ${suspect.q}, ${suspect.job})`).join(', ');
  await file.run(
    `CREATE OR REPLACE TEMP TABLE wanted (n INTEGER, q INTEGER, job INTEGER); INSERT INTO wanted VALUES ${wanted}`,
  );
  const names = await file.query(`
    SELECT w.n, qs.text AS queue, CASE WHEN w.job >= 0 THEN CAST(w.job AS VARCHAR) ELSE js.text END AS job
    FROM wanted w LEFT JOIN strings qs ON qs.id = w.q AND w.q <> 0 LEFT JOIN strings js ON js.id = -w.job`);
  const events: StoredEvent[][] = suspects.map(() => []);
  const told =
    first === undefined
      ? `w.n, ${EVENT_SELECT} FROM wanted w JOIN ev e ON e.q = w.q AND e.job = w.job ${EVENT_JOINS}`
      : `e.n - ${first} AS n, ${EVENT_SELECT} FROM suspect_events e ${EVENT_JOINS} WHERE e.n >= ${first} AND e.n < ${first + suspects.length}`;
  for (const row of await file.query(`SELECT ${told}`)) {
    const event = toStoredEvent(row, sources);
    if (event) events[Number(row.n)]?.push(event);
  }
  const facts = await readFacts(file, suspects.length, sources);
  const byNumber = new Map(names.map((row) => [Number(row.n), row]));
  return suspects.map((suspect, n) => {
    const queue = text(byNumber.get(n)?.queue);
    return {
      ...(queue === undefined ? {} : { queue }),
      job: text(byNumber.get(n)?.job) ?? '',
      summary: suspect.summary,
      events: (events[n] ?? []).sort(compareEvents),
      facts: facts[n] ?? [],
    };
  });
}

async function readFacts(
  file: CaseFile,
  count: number,
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StoredJobFacts[][]> {
  const moments = new Map<number, readonly [number, number]>();
  for (const row of await file.query(
    'SELECT source, from_ms, to_ms FROM (FROM askings UNION ALL SELECT source, from_ms, to_ms FROM snapshots) WHERE from_ms IS NOT NULL',
  ))
    moments.set(Number(row.source), [Number(row.from_ms), Number(row.to_ms)]);
  const open: Map<number, OpenFacts>[] = Array.from({ length: count }, () => new Map());
  const of = (row: Row): OpenFacts | undefined => {
    const perSource = open[Number(row.n)];
    const source = sources.get(Number(row.source));
    if (perSource === undefined || source === undefined) return undefined;
    let entry = perSource.get(source.id);
    if (entry === undefined) {
      const momentMs = moments.get(source.id);
      const states: QueueSet[] = [];
      entry = {
        states,
        facts: {
          ...{ source, offset: Number(row.off), states, hasHash: false, hasNoLock: source.format !== 'transcript' },
          ...(momentMs ? { momentMs } : {}),
        },
      };
      perSource.set(source.id, entry);
    }
    return entry;
  };
  for (const row of await file.query(`
    SELECT w.n, f.source, f.off, n.text AS name, f.timestamp, f.processed_on, f.finished_on, f.attempts_started, f.attempts_made,
      f.stalled_counter, r.text AS failed_reason
    FROM wanted w JOIN job_facts f ON f.queue = w.q AND f.job = w.job
    LEFT JOIN strings n ON n.id = f.name AND f.name <> 0
    LEFT JOIN strings r ON r.id = f.failed_reason AND f.failed_reason <> 0`)) {
    const entry = of(row);
    if (entry)
      entry.facts = {
        ...entry.facts,
        offset: Number(row.off),
        hasHash: true,
        ...present({
          name: text(row.name),
          timestamp: num(row.timestamp),
          processedOn: num(row.processed_on),
          finishedOn: num(row.finished_on),
          attemptsStarted: num(row.attempts_started),
          attemptsMade: num(row.attempts_made),
          stalledCounter: num(row.stalled_counter),
          failedReason: text(row.failed_reason),
        }),
      };
  }
  for (const row of await file.query(
    'SELECT w.n, m.source, m.off, m.set, m.score FROM wanted w JOIN members m ON m.queue = w.q AND m.job = w.job ORDER BY m.set',
  )) {
    const set = QUEUE_SETS[Number(row.set)];
    const entry = of(row);
    if (entry && set) entry.states.push(set);
    if (entry && set === 'delayed' && row.score !== null)
      entry.facts = { ...entry.facts, dueMs: Math.floor(Number(row.score) / SCORE_PER_MS) };
  }
  for (const row of await file.query(`
    SELECT w.n, l.source, l.off, t.text AS token, l.expires_at FROM wanted w JOIN locks l ON l.queue = w.q AND l.job = w.job
    LEFT JOIN strings t ON t.id = l.token AND l.token <> 0`)) {
    const entry = of(row);
    if (entry)
      entry.facts = {
        ...entry.facts,
        hasNoLock: false,
        lock: present({ token: text(row.token), expiresAtMs: num(row.expires_at) }),
      };
  }
  for (const row of await file.query(`
    SELECT w.n, a.source, a.off, a.what, a.while_active FROM wanted w JOIN absences a ON a.queue = w.q AND a.job = w.job
    WHERE a.what IN ('lock', 'hash')`)) {
    const entry = of(row);
    if (entry)
      entry.facts =
        row.what === 'hash'
          ? { ...entry.facts, noHashSaid: true }
          : { ...entry.facts, noLockSaid: true, hasNoLock: row.while_active === true };
  }
  return open.map((perSource) =>
    [...perSource.values()]
      .map((entry) => entry.facts)
      .sort((a, b) => (a.momentMs?.[0] ?? 0) - (b.momentMs?.[0] ?? 0) || compareText(a.source.path, b.source.path)),
  );
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops the keys whose value is undefined: absent means not known. */
function present<T extends Record<string, unknown>>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
