/** Logs that carry no times at all: position is the only order, no duration is known, and nothing is made up. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { ROOT } from '../project/tree.js';
import { readText } from './read-log.js';

const KEYS = ['time', 'timestamp', 'ts', '@timestamp'];
const LEADING = /^(?:ts=\S+ |\d{4}-\d\d-\d\d[ T][\d:.,]+Z? )/;
/** Nest's own, with the process id, which stays. */
const NEST = /^(\[Nest\] \d+ {2}- )[\d/.]+,? [\d:]+(?: [AP]M)? +/;

/** The line as a logger without times would have written it. */
function withoutTime(line: string): string {
  if (!line.startsWith('{')) return line.replace(LEADING, '').replace(NEST, '$1');
  const record = JSON.parse(line) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(record).filter(([key]) => !KEYS.includes(key))));
}

const folder = mkdtempSync(join(tmpdir(), 'without-times-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const incidents = join(ROOT, 'samples/incidents');

describe.each(readdirSync(incidents).sort())('the logs of sample %s without times', (name) => {
  const logs = join(incidents, name, 'evidence/logs');
  let analysis: Analysis;
  beforeAll(async () => {
    mkdirSync(join(folder, name));
    for (const file of readdirSync(logs))
      writeFileSync(
        join(folder, name, file),
        readFileSync(join(logs, file), 'utf8').split('\n').map(withoutTime).join('\n'),
      );
    ({ analysis } = await analyze([join(folder, name)], { version: 'test', given: { lockDuration: 30_000 } }));
  });

  it('are read', () => {
    expect(analysis.totals.jobs).toBeGreaterThan(0);
  });

  it('give no time, no duration and no span that no line told', () => {
    // Years of the recordings, and the epoch that a missing number turns into.
    expect(JSON.stringify(analysis).match(/"(?:19|20)\d\d-\d\d-\d\dT[^"]*"/g) ?? []).toEqual([]);
    expect(analysis.exposure).toEqual([]);
    expect(analysis.workers.filter(({ firstSeen, lastSeen }) => firstSeen ?? lastSeen)).toEqual([]);
    const jobs = analysis.findings.flatMap((finding) => finding.jobs);
    expect(jobs.filter(({ overlapMs }) => overlapMs !== undefined)).toEqual([]);
    const runs = analysis.stories.flatMap(({ executions }) => executions);
    expect(runs.every(({ start }) => start.at === undefined && start.precision === 'none')).toBe(true);
  });

  it('keep the order of their lines', () => {
    for (const { executions, timeline } of analysis.stories) {
      const lines = new Map<string, number[]>();
      for (const { ref } of timeline) lines.set(ref.source, [...(lines.get(ref.source) ?? []), ref.line ?? 0]);
      for (const of of lines.values()) expect(of).toEqual([...of].sort((a, b) => a - b));
      expect(executions.map(({ n }) => n)).toEqual(executions.map((_, index) => index + 1));
    }
  });

  it('give no verdict that contradicts what happened', () => {
    const { label } = JSON.parse(readFileSync(join(incidents, name, 'truth.json'), 'utf8'));
    for (const { status, boundary, cause, jobs } of analysis.findings) {
      if (!['shown', 'likely'].includes(status) || ['none', 'undetermined'].includes(boundary)) continue;
      for (const { id, duplicate, executions } of jobs) {
        expect(label.jobs[id]?.boundary.split('|'), id).toContain(boundary);
        expect([...(label.jobs[id]?.cause ?? []), 'lock-not-renewed'], id).toContain(cause);
        expect([label.jobs[id]?.duplicate, 'possible', 'unknown'], id).toContain(duplicate);
        expect([label.jobs[id]?.executions, undefined], id).toContain(executions);
      }
    }
  });
});

describe('a record without a time', () => {
  it('has the time of the one before it for its place, and says that it is none of its own', async () => {
    const { events } = await readText(
      'job 1 started\n{"level":30,"time":1705314600123,"pid":7,"jobId":"2","msg":"job started"}\njob 3 started\n',
    );
    expect(events.map(({ job, t, precision }) => [job, t, precision])).toEqual([
      ['1', undefined, 'none'],
      ['2', 1_705_314_600_123, 'ms'],
      ['3', 1_705_314_600_123, 'none'],
    ]);
  });
});

describe('two workers whose logs have no order between them', () => {
  it('the run that was acknowledged comes last: a completed job runs no more', async () => {
    const at = join(folder, 'two');
    mkdirSync(at);
    const line = (host: string, pid: number, fields: object) =>
      JSON.stringify({ level: 30, pid, hostname: host, queue: 'mail', jobId: '6', ...fields });
    writeFileSync(
      join(at, 'a.log'),
      [{ msg: 'Processing job' }, { msg: 'Job finished successfully' }, { event: 'completed', msg: 'Job completed' }]
        .map((fields) => line('a', 1, fields))
        .join('\n'),
    );
    writeFileSync(
      join(at, 'b.log'),
      [
        { msg: 'Processing job' },
        { msg: 'moved job to delayed' },
        { level: 50, msg: 'worker error', err: { message: 'Missing lock for job 6. moveToFinished', stack: '' } },
      ]
        .map((fields) => line('b', 2, fields))
        .join('\n'),
    );
    const { analysis } = await analyze([at], { version: 'test' });
    expect(analysis.stories.map(({ executions }) => executions.map(({ worker, how }) => [worker, how]))).toEqual([
      [
        ['b', 'moved'],
        ['a', 'completed'],
      ],
    ]);
    expect(analysis.findings.map(({ boundary }) => boundary)).toEqual(['step-transition']);
  });
});
