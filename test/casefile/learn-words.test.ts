/** Numbers in a team's own words: ids of jobs where all that is known of jobs says so, and of anything else otherwise. */
import { afterEach, describe, expect, test } from 'vitest';
import { type CaseFile, openCaseFile } from '../../src/casefile/case-file.js';
import { learnWords } from '../../src/casefile/learn-words.js';
import { resolveQueues } from '../../src/casefile/queues.js';
import { summarizeJobs } from '../../src/casefile/triage.js';
import type { EvidenceEvent } from '../../src/model/event.js';

let file: CaseFile | undefined;
afterEach(() => file?.close());

const IDS = ['1', '2', '3', '4', '5'];

/** A line of process `name`, `n` ms after the start of job `id`. */
const line = (name: string, kind: EvidenceEvent['kind'], id: string, n: number): EvidenceEvent => ({
  ...{ kind, clock: 'worker', t: 1000 * Number(id) + n, precision: 'ms', queue: 'mail', job: id, offset: 0 },
  ...{ line: 1000 * Number(id) + n, process: { name } },
  ...(kind === 'numbered-line' ? { data: { shape: 'processing order #' } } : {}),
});
const entry = (kind: EvidenceEvent['kind'], id: string, n: number): EvidenceEvent => ({
  ...{ kind, clock: 'redis', t: 1000 * Number(id) + n, precision: 'ms', queue: 'mail', job: id, line: n, offset: 0 },
});

/** What is learned of the words, and how many of their lines count then. */
async function learned(...sources: readonly (readonly EvidenceEvent[])[]) {
  file = await openCaseFile();
  for (const [n, events] of sources.entries()) {
    const sink = await file.begin({ path: `${n}` });
    for (const event of events) sink.event(event);
    const kind = events[0]?.clock === 'redis' ? 'redis' : 'log';
    const report = { kind, format: 'any', reason: '', records: 1, understood: 1 } as const;
    await file.finish({
      ...{ path: `${n}`, sha256: `${n}`, bytes: 1, damage: [] },
      report: { ...report, damage: [], assumptions: [], unknownShapes: [] },
    });
  }
  await resolveQueues(file);
  await summarizeJobs(file);
  const words = await learnWords(file);
  await summarizeJobs(file);
  const [row] = await file.query('SELECT count(*) FILTER (learned) AS n FROM ev');
  return { kinds: words.map(({ kind }) => kind), lines: Number(row?.n) };
}

describe('"processing order 17"', () => {
  test('is a start where the same process acknowledges these jobs, even of the one that it never did', async () => {
    const worker = IDS.flatMap((id) => [
      line('worker', 'numbered-line', id, 10),
      ...(id === '5' ? [] : [line('worker', 'acknowledged', id, 200)]),
    ]);
    expect(await learned(worker)).toEqual({ kinds: ['handler-started'], lines: 5 });
  });

  test('is a start where it stands inside the runs that Redis saw', async () => {
    const redis = IDS.flatMap((id) => [entry('active', id, 0), entry('completed', id, 300)]);
    const worker = IDS.map((id) => line('worker', 'numbered-line', id, 10));
    expect(await learned(redis, worker)).toEqual({ kinds: ['handler-started'], lines: 5 });
  });

  test('is nothing of the queue where another process writes it before the jobs run', async () => {
    const redis = IDS.flatMap((id) => [entry('active', id, 0), entry('completed', id, 300)]);
    const api = IDS.map((id) => line('api', 'numbered-line', id, -400));
    const worker = IDS.flatMap((id) => [line('worker', 'acknowledged', id, 301)]);
    expect(await learned(redis, api, worker)).toEqual({ kinds: [], lines: 0 });
  });

  test('is nothing of the queue where most numbers are no jobs', async () => {
    const orders = ['1', '2', '3', '71', '72', '73', '74'].map((id) => line('worker', 'numbered-line', id, 10));
    const acks = IDS.map((id) => line('worker', 'acknowledged', id, 200));
    expect(await learned([...orders, ...acks])).toEqual({ kinds: [], lines: 0 });
  });
});
