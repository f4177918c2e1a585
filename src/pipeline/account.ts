/** What the analysis says about its own ground: sources, workers, exposure, limits. */
import type { CaseFile } from '../casefile/case-file.js';
import {
  type CounterCheck,
  type CounterProblem,
  readCounterChecks,
  readMixedIds,
  readOpenJobs,
  readTrimmedStreams,
} from '../casefile/read-checks.js';
import type { LockHabits } from '../casefile/read-lock-ledger.js';
import type { RunTimes } from '../casefile/read-timing.js';
import type { Taken } from '../intake/index.js';
import type { Exposure, Limit, Moment, Ref, Setting, Source, Worker } from '../model/analysis.js';
import { endSignOf, isOver } from '../model/end-signs.js';
import type { ReadReport } from '../model/evidence.js';
import { prefixOfToken } from '../model/lock-token.js';
import type { Interval } from '../story/interval.js';
import { firstSeen, lastSeen } from '../story/moments.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import { formatUtc } from '../time/index.js';

interface StoredReport extends ReadReport {
  readonly events: number;
}

export interface SourceAccount {
  readonly sources: Source[];
  readonly limits: Limit[];
  readonly assumptions: Setting[];
}

/** Sources in the order of path and hash, with what their readers assumed and did not understand. */
export async function accountForSources(file: CaseFile): Promise<SourceAccount> {
  const rows = await file.query(`
    SELECT s.path, s.sha256, s.bytes, s.report,
      least(e.first, p.first, CAST(s.report->>'$.windowMs[0]' AS DOUBLE)) AS first,
      greatest(e.last, p.last, CAST(s.report->>'$.windowMs[1]' AS DOUBLE)) AS last FROM sources s
    LEFT JOIN (SELECT source, min(t) AS first, max(t) AS last FROM events WHERE prec > 0 GROUP BY source) e ON e.source = s.id
    LEFT JOIN (SELECT source, min(from_ms) AS first, max(to_ms) AS last FROM presence GROUP BY source) p ON p.source = s.id
    WHERE s.complete ORDER BY s.path, s.sha256`);
  const sources: Source[] = [];
  const limits: Limit[] = [];
  const assumed = new Map<string, Setting>();
  rows.forEach((row, n) => {
    const report = JSON.parse(String(row.report)) as StoredReport;
    const path = String(row.path);
    sources.push({
      id: `S-${n + 1}`,
      path,
      ...(row.sha256 === null ? {} : { sha256: String(row.sha256) }),
      bytes: Number(row.bytes),
      kind: report.kind,
      format: report.format,
      reason: report.reason,
      records: report.records,
      understood: report.understood,
      events: report.events,
      ...(row.first === null ? {} : { from: formatUtc(Number(row.first), 'ms') }),
      ...(row.last === null ? {} : { to: formatUtc(Number(row.last), 'ms') }),
      ...(report.packing === undefined ? {} : { packing: report.packing.map((layer) => ({ ...layer })) }),
      damage: report.damage.map(({ what, line, offset }) => ({
        what,
        ...(line === undefined || line < 1 ? {} : { line }),
        ...(offset === undefined || offset < 0 ? {} : { offset }),
      })),
    });
    if (report.kind === 'log' && report.events === 0)
      limits.push({ what: 'source without jobs', detail: 'no record of it speaks of a job or a worker', source: path });
    for (const { shape, count, firstLine } of report.unknownShapes)
      limits.push({
        what: 'not understood: lines',
        detail: shape,
        count,
        source: path,
        ref: { source: path, line: Math.max(1, firstLine) },
      });
    for (const { what, detail, line, offset } of report.limits ?? [])
      limits.push({ what, detail, source: path, ref: placeIn(path, line, offset) });
    for (const { name, value } of report.assumptions) {
      const key = `${name}=${value}`;
      const setting = assumed.get(key) ?? { name, value, basis: 'assumed' as const, scope: 'sources', refs: [] };
      setting.refs.push({ source: path });
      assumed.set(key, setting);
    }
  });
  const byName = (a: Setting, b: Setting): number => (`${a.name}=${a.value}` < `${b.name}=${b.value}` ? -1 : 1);
  return { sources, limits, assumptions: [...assumed.values()].sort(byName) };
}

const placeIn = (source: string, line?: number, offset?: number): Ref => ({
  source,
  ...(line === undefined || line < 1 ? {} : { line }),
  ...(line !== undefined || offset === undefined || offset < 0 ? {} : { offset }),
});

const ownMoment = (worker: WorkerProcess, ms: number, [low, high]: Interval): Moment => ({
  at: formatUtc(ms, 'ms'),
  precision: 'ms',
  clock: worker.id,
  redisMs: [Math.floor(low), Math.ceil(high)],
});

/** `tokens` are lock tokens seen with a worker; tokens of one worker instance share the part before the colon. */
export function accountForWorkers(
  scene: Scene,
  tokens: ReadonlyMap<string, ReadonlySet<string>>,
  queues: ReadonlyMap<string, ReadonlySet<string>>,
  habits: readonly LockHabits[],
): Worker[] {
  return scene.workers.map((worker) => {
    const [first, last] = [firstSeen(worker), lastSeen(worker)];
    return {
      id: worker.id,
      ...(worker.host === undefined ? {} : { host: worker.host }),
      ...(worker.pid === undefined ? {} : { pid: worker.pid }),
      ...(worker.pod === undefined ? {} : { pod: worker.pod }),
      ...(worker.name === undefined ? {} : { name: worker.name }),
      sources: [...worker.sources],
      tokenPrefixes: [
        ...new Set([...worker.tokenPrefixes, ...[...(tokens.get(worker.id) ?? [])].map(prefixOfToken)]),
      ].sort(),
      queues: [...(queues.get(worker.id) ?? [])].sort(),
      ...(worker.firstMs === undefined || first === undefined
        ? {}
        : { firstSeen: ownMoment(worker, worker.firstMs, first) }),
      ...(worker.lastMs === undefined || last === undefined
        ? {}
        : { lastSeen: ownMoment(worker, worker.lastMs, last) }),
      ended: endedOf(worker),
      ...renewalsOf(habits.filter(({ tokenPrefix }) => worker.tokenPrefixes.includes(tokenPrefix))),
    };
  });
}

/** Several workers may run in one process: the most frequent of their cadences stands for it, and the longest pause of any. */
function renewalsOf(habits: readonly LockHabits[]): Pick<Worker, 'renewals'> {
  const [busiest] = [...habits].sort((a, b) => b.renewals - a.renewals);
  if (busiest === undefined) return {};
  const sum = (of: (habit: LockHabits) => number): number => habits.reduce((total, habit) => total + of(habit), 0);
  const pauses = habits.flatMap(({ maxMs }) => maxMs ?? []);
  return {
    renewals: {
      locks: sum(({ locks }) => locks),
      renewals: sum(({ renewals }) => renewals),
      ...(busiest.medianMs === undefined ? {} : { medianMs: busiest.medianMs }),
      ...(pauses.length === 0 ? {} : { maxMs: Math.max(...pauses) }),
      unrenewed: sum(({ unrenewed }) => unrenewed),
    },
  };
}

function endedOf(worker: WorkerProcess): NonNullable<Worker['ended']> {
  const last = worker.signs.findLast((event) => isOver(event.kind));
  if (last === undefined) return 'unknown';
  return endSignOf(last.kind) === 'closed' ? 'closed' : 'exited';
}

/** The same content, or the same record, twice is evidence once; the analysis says so. */
export function accountForRepeats(taken: Taken, recordsTwice: number): Limit[] {
  const skipped = taken.sources
    .filter((source) => source.skipped !== undefined)
    .map((source) => ({
      what: 'source read once',
      detail: `its content is the same as ${source.sameAs ?? 'a source already in the case'}`,
      source: source.path,
    }));
  const detail = 'the same record of the same process; counted once';
  return recordsTwice === 0
    ? skipped
    : [...skipped, { what: 'records that stand in two sources', detail, count: recordsTwice }];
}

/** Queues that logs name and several databases have: the records of workers were joined to none of them. */
export const accountForDatabases = (ambiguous: readonly string[]): Limit[] =>
  ambiguous.map((queue) => ({
    what: 'queue in several databases',
    detail: `several databases of Redis have a queue ${queue}, and the logs do not say which is theirs: what workers told was joined to none of them; evidence of Redis that holds one database only would settle it`,
  }));

/** What snapshots say that the rest of the evidence does not show. */
export async function accountForChecks(file: CaseFile): Promise<Limit[]> {
  const counters = (await readCounterChecks(file)).map((check) => ({
    ...COUNTER_WORDS[check.problem](check),
    count: check.jobs,
    source: check.ref.source,
    ref: check.ref,
  }));
  const trimmed = (await readTrimmedStreams(file)).map(({ queue, source, lost, firstId }) => ({
    what: 'events stream trimmed',
    detail: `queue ${queue}: entries were removed from its events stream${firstId === undefined ? '' : `; it begins at ${firstId}`}, and what they told can no longer be seen`,
    count: lost,
    source,
  }));
  const open = (await readOpenJobs(file)).map(({ queue, jobs, example }) => ({
    what: 'jobs without an end',
    detail: `${queue === undefined ? 'jobs' : `queue ${queue}: jobs`} that workers started and nothing shows to have ended, such as job ${example}: still running where the evidence ends, or their end is not in it`,
    count: jobs,
  }));
  const mixed = (await readMixedIds(file)).map(({ queue, jobs, example }) => ({
    what: 'job ids that mean several jobs',
    detail: `queue ${queue}: the snapshots give one id different creation times, such as job ${example}; the evidence is of several systems, or ids were used again, and what is said of these jobs mixes them: analyse each system by itself`,
    count: jobs,
  }));
  return [...mixed, ...open, ...counters, ...trimmed];
}

export const accountForExposure = (times: readonly RunTimes[], scene: Scene): Exposure[] =>
  times
    .filter((row) => row.runs > 0)
    .map((row) => {
      const worker = row.worker === undefined ? undefined : scene.workers[row.worker]?.id;
      return {
        ...(row.queue === undefined ? {} : { queue: row.queue }),
        ...(row.jobName === undefined ? {} : { jobName: row.jobName }),
        ...(worker === undefined ? {} : { worker }),
        runs: row.runs,
        runMs: { p50: row.p50, p99: row.p99, max: row.max },
        ...(row.ackMax === undefined
          ? {}
          : { returnToAckMs: { p50: row.ackP50 ?? 0, p99: row.ackP99 ?? 0, max: row.ackMax } }),
        ...(row.slackMs === undefined ? {} : { renewalSlackMs: row.slackMs, jobsAtRisk: row.atRisk ?? 0 }),
      };
    });

const COUNTER_WORDS: Readonly<Record<CounterProblem, (check: CounterCheck) => Pick<Limit, 'what' | 'detail'>>> = {
  unseen: ({ queue, missing, example, counted, shown }) => ({
    what: 'activations not shown',
    detail: `queue ${queue}: the hashes of jobs count ${missing} more activations (ats) than any record shows, such as job ${example} (${counted} counted, ${shown} shown); the evidence no longer holds all of their runs`,
  }),
  reset: ({ queue, example, counted, shown }) => ({
    what: 'counters of jobs do not add up',
    detail: `queue ${queue}: jobs count fewer activations (ats) than attempts, stalls and an open run make, or than the stream shows, such as job ${example} (${counted} counted, ${shown} at least); the counters were reset by job.retry, or hash and stream are of different jobs`,
  }),
  stalls: ({ queue, missing, example, counted, shown }) => ({
    what: 'stalls not shown',
    detail: `queue ${queue}: the hashes of jobs count ${missing} more stalls (stc) than their events stream shows from their beginning, such as job ${example} (${counted} counted, ${shown} shown); entries of the stream are missing`,
  }),
};
