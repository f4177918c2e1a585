/**
 * What a reading thread hands over is what the reader would have written here. The threads are those of the built program, as
 * sources have none; what is read without one comes from the sources.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type * as CaseFiles from '../../src/casefile/case-file.js';
import { openCaseFile } from '../../src/casefile/case-file.js';
import { TABLES, type TableName } from '../../src/casefile/tables.js';
import { expandInputs, type Taken } from '../../src/intake/index.js';
import type { Blocks, EvidenceSink } from '../../src/model/evidence.js';
import type { Parcel } from '../../src/model/parcel.js';
import type * as TakeEvidence from '../../src/pipeline/take-evidence.js';
import { takeEvidence } from '../../src/pipeline/take-evidence.js';
import type * as Threads from '../../src/threads/reading-thread.js';

const built = async (module: string): Promise<unknown> =>
  import(new URL(`../../dist/${module}.js`, import.meta.url).href);
const threads = (await built('threads/reading-thread')) as typeof Threads;
const builtCase = (await built('casefile/case-file')) as typeof CaseFiles;
const builtTake = (await built('pipeline/take-evidence')) as typeof TakeEvidence;

const folder = mkdtempSync(join(tmpdir(), 'bullmortem-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = Date.UTC(2026, 2, 3, 9, 0, 0);

/** Lines of three processes about jobs with plain and other ids; large enough for a thread. */
function log(lines: number): string {
  return Array.from({ length: lines }, (_, n) => {
    const job = n % 3 === 0 ? `order-${n}` : String(n);
    const about = { level: 30, time: START_MS + 10 * n, pid: 100 + (n % 3), hostname: `mailer-${n % 3}` };
    const what = { queue: 'mail', jobId: job, msg: n % 2 === 0 ? 'Job started' : 'Job completed' };
    return `${JSON.stringify({ ...about, ...what, seconds: n % 1000, note: 'x'.repeat(60) })}\n`;
  }).join('');
}

const resp = (...args: readonly string[]): string =>
  `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`).join('')}`;

/** Jobs added, locked and finished, as an append-only file has them; ids of both kinds and text beyond ASCII. */
function commands(jobs: number): string {
  return Array.from({ length: jobs }, (_, n) => {
    const job = n % 4 === 0 ? `größe-${n}` : String(n);
    const at = START_MS + 20 * n;
    const token = `0b5c0f0e-8d52-4b57-9d3e-${String(n % 5).padStart(12, '0')}:${n}`;
    return [
      resp(
        'HSET',
        `bull:mail:${job}`,
        'name',
        'send',
        'data',
        '{"a":1}',
        'opts',
        '{"attempts":3}',
        'timestamp',
        `${at}`,
      ),
      resp('XADD', 'bull:mail:events', `${at}-0`, 'event', 'waiting', 'jobId', job),
      resp('SET', `bull:mail:${job}:lock`, token, 'PXAT', String(at + 30_005)),
      resp('XADD', 'bull:mail:events', `${at + 5}-0`, 'event', 'active', 'jobId', job, 'prev', 'waiting'),
      resp('DEL', `bull:mail:${job}:lock`),
      resp('ZADD', 'bull:mail:completed', String(at + 15), job),
      resp('XADD', 'bull:mail:events', `${at + 15}-0`, 'event', 'completed', 'jobId', job, 'returnvalue', 'null'),
    ].join('');
  }).join('');
}

/** All rows of a case file, text in place of the numbers that stand for it, in an order of their own. */
async function rowsOf(file: CaseFiles.CaseFile): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = { timeline: await file.query('SELECT * FROM timeline ORDER BY ALL') };
  for (const table of (Object.keys(TABLES) as TableName[]).filter((name) => name !== 'events')) {
    const columns = TABLES[table].map(([name, type]) => {
      if (table === 'strings' || table === 'processes') return name === 'id' ? '0' : `"${name}"`;
      if (type === 'STRING') return `text_of("${name}")`;
      if (type === 'JOB') return `if("${name}" < 0, text_of(-"${name}"), CAST("${name}" AS VARCHAR))`;
      if (type === 'PROCESS')
        return `(SELECT [host, CAST(pid AS VARCHAR), p.name] FROM processes p WHERE p.id = "${name}")`;
      return `"${name}"`;
    });
    rows[table] = await file.query(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY ALL`);
  }
  return rows;
}

type Opened = { readonly rows: Record<string, unknown[]>; readonly taken: Taken };

async function read(
  path: string,
  open: typeof openCaseFile,
  take: (inputs: Awaited<ReturnType<typeof expandInputs>>, file: CaseFiles.CaseFile) => Promise<Taken>,
): Promise<Opened> {
  const file = await open();
  try {
    const taken = await take(await expandInputs([path]), file);
    return { taken, rows: await rowsOf(file) };
  } finally {
    await file.close();
  }
}

describe('a large source', () => {
  test.each([
    ['worker.log', () => log(24_000)],
    ['appendonly.aof', () => commands(6_500)],
  ])('leaves the same rows from a thread: %s', async (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content());
    const inputs = await expandInputs([path]);
    expect(builtTake.threadFor(inputs)).not.toBeNull();
    const there = await read(path, builtCase.openCaseFile, (all, file) => builtTake.takeEvidence(all, file, {}));
    const here = await read(path, openCaseFile, (all, file) => takeEvidence(all, file, {}));
    expect(here.taken.sources[0]?.damage).toEqual([]);
    expect(there.taken).toEqual(here.taken);
    expect(Object.keys(there.rows.timeline?.[0] ?? {}).length).toBeGreaterThan(10);
    expect(there.rows).toEqual(here.rows);
  });
});

describe('a reading thread', () => {
  const blocks = async function* (text: string, size = 65_536): Blocks {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const sinkOf = (adopt: (parcel: Parcel) => void): EvidenceSink => ({
    event: () => expect.unreachable('events come as parcels'),
    fact: () => expect.unreachable('facts come as parcels'),
    presence: () => expect.unreachable('presence comes as parcels'),
    settle: async () => undefined,
    adopt,
  });
  const options = { fileName: 'worker.log' };

  test('reads one source after another, and knows its readers only', async () => {
    const thread = threads.openReadingThread();
    const reader = thread?.reader('log');
    expect(thread?.reader('aof-manifest')).toBeUndefined();
    const text = log(3_000);
    for (let round = 0; round < 3; round++) {
      const rows = { events: 0 };
      const sink = sinkOf(({ table, rows: n }) => {
        if (table === 'events') rows.events += n;
      });
      const report = await reader?.(blocks(text), sink, options);
      expect(report?.records).toBe(3_000);
      expect(rows.events).toBe(3_000);
    }
    await thread?.close();
  });

  test('passes on that rows could not be stored, and reads the next source', async () => {
    const thread = threads.openReadingThread();
    const reader = thread?.reader('log');
    const full = sinkOf(() => {
      throw new Error('no space left');
    });
    await expect(reader?.(blocks(log(20_000)), full, options)).rejects.toThrow('no space left');
    const report = await reader?.(
      blocks(log(10)),
      sinkOf(() => undefined),
      options,
    );
    expect(report?.records).toBe(10);
    await thread?.close();
  });

  test('passes on a fault of its reader', async () => {
    const thread = threads.openReadingThread();
    // What cannot be handed to a thread fails as it does for a reader.
    const odd = { ...options, assumeTz: (() => 'UTC') as unknown as string };
    await expect(
      thread?.reader('log')?.(
        blocks(log(10)),
        sinkOf(() => undefined),
        odd,
      ),
    ).rejects.toThrow();
    await thread?.close();
  });
});
