/** Queues of one name in several databases of Redis, and how the words of logs and placeless exports are joined to them. */
import { afterEach, describe, expect, test } from 'vitest';
import { type CaseFile, openCaseFile } from '../../src/casefile/case-file.js';
import { resolveQueues } from '../../src/casefile/queues.js';
import type { EvidenceEvent } from '../../src/model/event.js';

let file: CaseFile | undefined;
afterEach(() => file?.close());

const redis = (db: number | undefined, job: string): EvidenceEvent => ({
  ...{ kind: 'active', clock: 'redis', t: 1000, precision: 'ms', queue: 'mail', job, line: 1, offset: 0 },
  ...(db === undefined ? {} : { db }),
});
const log: EvidenceEvent = {
  ...{ kind: 'handler-started', clock: 'worker', t: 1000, precision: 'ms', queue: 'mail', job: '1' },
  ...{ line: 1, offset: 0, process: { name: 'w' } },
};

/** Takes sources of a format in, and tells which queue each record belongs to. */
async function resolved(...sources: readonly (readonly [format: string, ...events: EvidenceEvent[]])[]) {
  file = await openCaseFile();
  for (const [n, [format, ...events]] of sources.entries()) {
    const sink = await file.begin({ path: `${n}` });
    for (const event of events) sink.event(event);
    const report = { kind: 'redis', format, reason: '', records: 1, understood: 1 } as const;
    await file.finish({
      path: `${n}`,
      sha256: `${n}`,
      bytes: 1,
      damage: [],
      report: { ...report, damage: [], assumptions: [], unknownShapes: [] },
    });
  }
  const { ambiguous } = await resolveQueues(file);
  const rows = await file.query(`
    SELECT e.source, coalesce(s.text, '-') AS queue FROM ev e LEFT JOIN strings s ON s.id = e.q AND e.q <> 0
    ORDER BY e.source, e.t, e.job`);
  return { ambiguous, queues: rows.map((row) => `${row.source} ${row.queue}`) };
}

describe('queues', () => {
  test('of one database, whichever it is, need no mark of it', async () => {
    expect(await resolved(['aof', redis(3, '1')], ['pino', log])).toEqual({
      ambiguous: [],
      queues: ['1 mail', '2 mail'],
    });
  });

  test('of two databases are told apart, and a log is joined to neither', async () => {
    expect(await resolved(['aof', redis(undefined, '1'), redis(3, '2')], ['pino', log])).toEqual({
      ambiguous: ['mail'],
      queues: ['1 mail', '1 mail [db 3]', '2 -'],
    });
  });

  test('an export that does not tell its database is that of the only one', async () => {
    expect(await resolved(['monitor', redis(3, '1')], ['xrange-json', redis(undefined, '1')])).toEqual({
      ambiguous: [],
      queues: ['1 mail', '2 mail'],
    });
  });
});
