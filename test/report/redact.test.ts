/** After `redactAnalysis` no name of the evidence is left in any report, whatever place it stood in; what is no name stays. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { quoteEvidence } from '../../src/model/quote-evidence.js';
import { redactAnalysis } from '../../src/report/index.js';
import { createPseudonyms } from '../../src/report/redact/pseudonyms.js';
import { createTextRedaction } from '../../src/report/redact/redact-text.js';
import { ROOT } from '../project/tree.js';
import { allReports } from './all-reports.js';
import { FIXTURES, fixture } from './fixtures/load.js';

const KEY = 'a key of at least thirty-two characters';
const incidents = join(ROOT, 'samples/incidents');
const SAMPLES = readdirSync(incidents).sort();

const sample = (name: string): Analysis =>
  analysisSchema.parse(JSON.parse(readFileSync(join(incidents, name, 'expected.json'), 'utf8')));

/** What the evidence itself calls hosts, queues, jobs and tokens, read from its lines. */
function namesInLogs(name: string): string[] {
  const logs = join(incidents, name, 'evidence/logs');
  return readdirSync(logs).flatMap((file) => {
    const text = readFileSync(join(logs, file), 'utf8');
    const fields = [...text.matchAll(/"(?:hostname|host|name|queue|jobName|token|pod)":"([^"]+)"/g)].map(
      ([, value]) => value,
    );
    const uuids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g) ?? [];
    return [...fields, ...uuids, file.replace(/\.log$/, '')].flatMap((value) => value ?? []);
  });
}

/** Names as an analysis has them: what is looked for after redaction. */
function namesInAnalysis(analysis: Analysis): string[] {
  const found = [
    ...analysis.workers.flatMap(({ id, host, pod, name, tokenPrefixes, queues }) => [
      id,
      host,
      pod,
      name,
      ...tokenPrefixes,
      ...queues,
    ]),
    ...analysis.stories.flatMap(({ id, queue, name }) => [id, queue, name]),
    ...analysis.findings.flatMap(({ jobs }) => jobs.flatMap(({ id, queue }) => [id, queue])),
    ...analysis.sources.map(({ path }) => path.replace(/^.*\//, '').replace(/\.\w+$/, '')),
  ];
  return found.flatMap((name) => (name === undefined || /^\d+$/.test(name) ? [] : [name]));
}

/** Words that our own sentences use, too. */
const ALSO_OURS = new Set(['dump', 'events', 'mail', 'worker', 'render', 'monitor', 'appendonly', 'stream']);

const isLeft = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u').test(text);

describe.each([...SAMPLES, ...FIXTURES])('%s', (name) => {
  const analysis = SAMPLES.includes(name) ? sample(name) : fixture(name as (typeof FIXTURES)[number]);
  const redacted = redactAnalysis(analysis, KEY);

  it('leaves no name in any output', () => {
    const names = [...(SAMPLES.includes(name) ? namesInLogs(name) : []), ...namesInAnalysis(analysis)];
    if (analysis.workers.length > 0) expect(names.length).toBeGreaterThan(3);
    for (const [output, text] of allReports(redacted))
      for (const one of new Set(names))
        if (!ALSO_OURS.has(one)) expect(isLeft(text, one), `${one} in ${output}`).toBe(false);
    // A queue may be called like a word of ours; where it would be a queue it is not.
    for (const queue of new Set(analysis.stories.map((story) => story.queue))) {
      const text = JSON.stringify(redacted);
      expect(text).not.toContain(`queue ${queue} `);
      expect(text).not.toContain(`"${queue}"`);
      expect(text).not.toContain(`bull:${queue}:`);
    }
  });

  it('keeps verdicts, numbers, times and hashes', () => {
    const kept = ({ findings, totals, sources }: Analysis) => ({
      totals,
      sources: sources.map(({ sha256, bytes, records }) => ({ sha256, bytes, records })),
      findings: findings.map(({ boundary, cause, status, window, jobs, witness }) => ({
        ...{ boundary, cause, status },
        window: window && [window.from.at, window.to.at],
        jobs: jobs.map(({ id: _, queue: __, ...rest }) => rest),
        witness: witness.map(({ kind, moment, ref }) => [kind, moment.at, ref.line, ref.entry, ref.offset]),
      })),
    });
    expect(kept(redacted)).toEqual(kept(analysis));
  });

  it('says that it was redacted', () => {
    expect(redacted.redacted).toBe(true);
    expect(redacted.run.options).toContain('--redact');
    for (const [output, text] of allReports(redacted))
      if (!output.endsWith('csv')) expect(text.replace(/\s+/g, ' '), output).toMatch(/pseudonyms|"redacted": true/);
  });

  it('is the same with the same key, and another with another', () => {
    expect(redactAnalysis(analysis, KEY)).toEqual(redacted);
    if (analysis.stories.length > 0)
      expect(redactAnalysis(analysis, `${KEY} 2`).stories[0]?.queue).not.toBe(redacted.stories[0]?.queue);
  });

  it('cites and joins as before', () => {
    const paths = new Set(redacted.sources.flatMap(({ id, path }) => [id, path]));
    for (const { witness } of redacted.findings) for (const { ref } of witness) expect(paths).toContain(ref.source);
    const workers = new Set(redacted.workers.map(({ id }) => id));
    for (const { worker } of redacted.findings) if (worker !== undefined) expect(workers).toContain(worker);
  });
});

describe('sentences', () => {
  const pseudonyms = createPseudonyms(KEY);
  const names = new Map([
    ['orders-eu', pseudonyms.of('queue', 'orders-eu')],
    ['worker', pseudonyms.of('queue', 'worker')],
    ['api-7f', pseudonyms.of('host', 'api-7f')],
  ]);
  const redact = createTextRedaction(names, pseudonyms);

  it.each([
    ['connect to 10.1.2.3:6379', '10.1.2.3'],
    ['from fe80:0:0:0:1:2:3:4 and ::1', 'fe80'],
    [`lost in /${'home'}/alice/app/worker.js:10`, 'alice'],
    ['C:\\Users\\alice\\app', 'alice'],
    ['mail to alice@example.com bounced', 'alice@example.com'],
    ['at db.internal.example.com', 'example'],
    ['key bull:orders-eu:7:lock of api-7f', 'orders-eu'],
    ['held by 6eb825ce-53d7-46b0-b76d-d930f6e40dfe:1', '6eb825ce'],
    ['of queue worker', 'queue worker'],
    [`failed (recorded by Redis) (${quoteEvidence('card of ”Bob” declined')}, attempt 1)`, 'Bob'],
  ])('%s', (text, name) => {
    expect(redact(text)).not.toContain(name);
  });

  it.each([
    'Redis made job 7 active (run 1).',
    'The worker held the lock for 30.0 s at 2026-11-30T14:10:52.940Z (14:10:52).',
    'Put this into bullmortem.config.json (BullMQ 5.81.5).',
    `failed (recorded by Redis) (${quoteEvidence('job stalled more than allowable limit')})`,
    `it said ${quoteEvidence("OOM command not allowed when used memory > 'maxmemory'.")}.`,
    `it said ${quoteEvidence('Missing lock for job 7. moveToFinished')}.`,
  ])('%s stays', (text) => {
    expect(redact(text)).toBe(text);
  });
});
