/** `bullmortem audit` as a scheduler or an engineer runs it: what it prints, what it writes, how it ends. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { RECORD_VERDICT_NAMES, type RecordVerdict } from '../../src/model/records-audit.js';
import { bullmortem, scratch } from '../cli/command.js';
import { ROOT } from '../project/tree.js';

const folder = scratch();
const HEADER = 'idempotency_key,job_id,queue,worker,status,started_at,completed_at\n';
const row = (key: string, worker: string, from: string, to: string): string =>
  `${key},${key.slice(1)},mail,${worker},${to === '' ? 'started' : 'completed'},2026-03-01T10:00:${from}Z,${to === '' ? '' : `2026-03-01T10:00:${to}Z`}\n`;
const TWICE = `${HEADER}${row('k1', 'a', '00', '20')}${row('k1', 'b', '10', '15')}${row('k2', 'a', '21', '22')}`;
const ONCE = `${HEADER}${row('k1', 'a', '00', '20')}${row('k2', 'a', '21', '22')}${row('k3', 'a', '23', '')}`;

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

interface Summary {
  readonly exit: number;
  readonly rows: number;
  readonly keys: number;
  readonly verdicts: Record<RecordVerdict, number>;
  readonly queues: readonly { readonly queue: string | null; readonly rows: number }[];
}
const summaryOf = (stdout: string): Summary => JSON.parse(stdout);
const readAnalysis = (path: string): Analysis => analysisSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

describe('exit codes', () => {
  const twice = file('codes/twice.csv', TWICE);
  const once = file('codes/once.csv', ONCE);
  const quiet = file('codes/quiet.csv', HEADER);

  it.each([
    ['work done twice', [twice], 1],
    ['a run begun and never ended is no doubled record', [once], 0],
    ['a day without rows', [quiet], 0],
    ['nothing is to fail', [twice, '--fail-on', 'never'], 0],
    ['a verdict that is not among those to fail on', [twice, '--fail-on', 'enqueued-twice,regressed'], 0],
    ['a verdict of the records’ own', [once, '--fail-on', 'unfinished-or-step'], 1],
    ['a doubled record counts more than an input that could not be read', [twice, join(folder, 'missing.csv')], 1],
    ['done, but a named input could not be read', [once, join(folder, 'missing.csv')], 4],
    ['no records at all', [file('codes/notes.txt', 'hello\n')], 3],
    ['an empty file', [file('codes/empty.csv', '')], 3],
    ['a verdict that does not exist', [once, '--fail-on', 'doubled'], 2],
    ['a role that does not exist', [once, '--columns', 'id=job_id'], 2],
  ])('%s', (_, args, code) => {
    const ran = bullmortem(['audit', ...args, '--summary', 'json']);
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
    for (const line of ran.stderr.split('\n')) expect(line).toMatch(/^(?:bullmortem: .+)?$/);
  });
});

describe('columns', () => {
  const odd = file('odd/runs.csv', 'work,ref,how\nw1,1,done\nw1,1,done\nw2,2,done\n');
  const config = file('odd/config.json', '{ "records": { "columns": { "key": "work", "status": "how" } } }');
  const columnsOf = (args: readonly string[]) => {
    const out = join(folder, 'odd.json');
    const ran = bullmortem(['audit', odd, ...args, '-o', out, '--quiet']);
    const columns = (ran.code ?? 2) > 1 ? [] : (readAnalysis(out).records?.stores[0]?.columns ?? []);
    return { code: ran.code, columns: columns.map(({ role, column, basis }) => [role, column, basis]) };
  };

  it('are named by the configuration, and before it on the command line', () => {
    expect(columnsOf([]).code).toBe(3);
    const told = [
      ['key', 'work', 'given'],
      ['status', 'how', 'given'],
    ];
    expect(columnsOf(['--config', config])).toEqual({ code: 1, columns: told });
    expect(columnsOf(['--config', config, '--columns', 'key=ref']).columns[0]).toEqual(['key', 'ref', 'given']);
  });
});

describe('the summary for schedulers', () => {
  it('is one line with every verdict, zero included, and the totals of each queue', () => {
    const days = [file('days/1.csv', TWICE), file('days/2.csv', TWICE.replaceAll('mail', 'sms').replaceAll('k', 'x'))];
    const ran = bullmortem(['audit', ...days, '--summary', 'json']);
    expect(ran.stdout.trimEnd()).not.toContain('\n');
    const summary = summaryOf(ran.stdout);
    expect(summary).toMatchObject({ schema: 'bullmortem/audit-summary/1', exit: 1, rows: 6, keys: 4 });
    expect(Object.keys(summary.verdicts)).toEqual([...RECORD_VERDICT_NAMES]);
    expect(summary.verdicts).toMatchObject({ 'done-twice': 2, overlapping: 2, regressed: 0 });
    expect(summary.queues.map(({ queue, rows }) => [queue, rows])).toEqual([
      ['mail', 3],
      ['sms', 3],
    ]);
  });

  it('is the same from stdin, packed, and in any order of files', () => {
    const [one, two] = [file('same/1.csv', TWICE), file('same/2.csv', ONCE)];
    const said = (args: readonly string[], input?: string) =>
      summaryOf(bullmortem(['audit', ...args, '--summary', 'json'], input === undefined ? {} : { input }).stdout);
    const packed = file('same/packed', gzipSync(TWICE));
    expect(said(['-'], TWICE)).toEqual(said([one]));
    expect(said([packed])).toEqual(said([one]));
    expect(said([two, one])).toEqual(said([one, two]));
  });
});

describe('reports', () => {
  const out = `${join(folder, 'out')}/`;
  const evil = '"=HYPERLINK(""http://x"")","<img src=x onerror=alert(1)>",mail,"\u001b[31mred",completed,,\n';

  it('are of every kind and hold values as values', () => {
    const ran = bullmortem(['audit', file('evil.csv', `${HEADER}${evil}${evil}`), '-o', out, '--quiet']);
    expect(ran.code).toBe(1);
    const text = (name: string): string => readFileSync(join(out, name), 'utf8');
    expect(text('report.html')).not.toContain('<img');
    // A code span shows markup as it stands; anywhere else it must be escaped.
    expect(text('report.md').replace(/`[^`\n]*`/g, '')).not.toMatch(/(?<!\\)<img/);
    for (const name of ['report.md', 'report.html', 'audit.csv']) expect(text(name), name).not.toContain('\u001b');
    expect(text('audit.csv')).toMatch(/^(?!=).*$/m);
    expect(text('audit.csv').split('\n').slice(1).join('\n')).not.toMatch(/(?:^|,)"?=/m);
    const { records } = readAnalysis(join(out, 'analysis.json'));
    expect(records?.verdicts).toEqual({ 'done-twice': 1 });
    expect(records?.keys[0]?.key).toBe('=HYPERLINK("http://x")');
  });

  it('a terminal shows the doubled key with the lines of its rows', () => {
    const { stdout } = bullmortem(['audit', file('shown.csv', TWICE)]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/k1: done-twice, overlapping: .* shown\.csv:2, .*shown\.csv:3/);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('beside evidence', () => {
  const evidence = join(ROOT, 'samples/incidents/starved/evidence');
  const records = file(
    'starved.csv',
    `${HEADER}invoice-7,7,mail,mailer-b41e,completed,2026-11-30T15:37:53.137Z,2026-11-30T15:39:35.000Z\n` +
      'invoice-7,7,mail,mailer-7c9f,completed,2026-11-30T15:38:51.667Z,2026-11-30T15:39:35.400Z\n',
  );

  it('a doubled key is tied to the finding of its job and to both executions, in audit, in analyze and from a case file', () => {
    const kept = join(folder, 'kept.duckdb');
    const runs: readonly (readonly string[])[] = [
      ['audit', records, evidence, '--case', kept],
      ['analyze', evidence, '--records', records],
      ['audit', kept, records],
    ];
    const told = runs.map((args, i) => {
      const path = join(folder, `tied-${i}.json`);
      bullmortem([...args, '-o', path, '--quiet']);
      const { records: audited, findings } = readAnalysis(path);
      const [key] = audited?.keys ?? [];
      expect(key?.findings).toEqual([findings[0]?.id]);
      return { verdicts: key?.verdicts, executions: key?.shown.map((one) => one.execution) };
    });
    expect(told[0]?.executions).toEqual([1, 2]);
    expect(told[0]?.verdicts?.map(({ verdict, basis }) => [verdict, basis])).toContainEqual(['done-twice', 'both']);
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });
});
