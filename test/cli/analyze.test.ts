import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const evidence = join(ROOT, 'samples/incidents/starved/evidence');
const log = join(evidence, 'logs/mailer-2.log');
const rdb = join(evidence, 'redis/dump.rdb');
const readAnalysis = (path: string): Analysis => analysisSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

describe('one command', () => {
  it('writes Markdown, HTML and JSON that all name job, boundary, cause, both workers and the overlap', () => {
    const outputs = ['one.md', 'one.html', 'one.json'].map((name) => join(folder, name));
    const ran = bullmortem(['analyze', evidence, ...outputs.flatMap((path) => ['-o', path]), '--quiet']);
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    const [finding] = readAnalysis(join(folder, 'one.json')).findings;
    expect(finding).toMatchObject({ boundary: 'lock-renewal', cause: 'worker-unresponsive', status: 'likely' });
    const overlap = `${finding?.jobs[0]?.overlapMs} ms`;
    for (const path of outputs.slice(0, 2)) {
      const text = readFileSync(path, 'utf8');
      for (const said of ['lock-renewal', 'worker-unresponsive', 'mailer-b41e', 'mailer-7c9f', overlap])
        expect(text, path).toContain(said);
    }
  });

  it('prints to the terminal without an output, and nothing but plain text into a pipe', () => {
    const ran = bullmortem(['analyze', evidence]);
    expect(ran.code).toBe(0);
    expect(ran.stdout.split('\n')[0]).toBe('Likely a lock that ran out, not a fight over the job');
    expect(ran.stdout).not.toMatch(/\u001b/);
  });

  it('prints what the README shows', () => {
    const [, shown = ''] =
      /```\n\$ node [^\n]*\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const printed = new Set(bullmortem(['analyze', evidence]).stdout.split('\n'));
    const lines = shown.split('\n').filter((line) => line !== '' && line !== '…');
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !printed.has(line))).toEqual([]);
  });

  it('gives a folder every kind of report', () => {
    const out = `${join(folder, 'all')}/`;
    expect(bullmortem(['analyze', evidence, '-o', out, '--quiet']).code).toBe(0);
    for (const name of ['report.md', 'report.html', 'analysis.json', 'jobs.csv', 'timeline.csv', 'reconcile.csv'])
      expect(readFileSync(join(out, name), 'utf8').length, name).toBeGreaterThan(0);
  });

  it('renders an earlier analysis again, byte for byte', () => {
    const json = join(folder, 'again.json');
    bullmortem(['analyze', evidence, '-o', json, '-o', join(folder, 'first.md'), '--quiet']);
    expect(bullmortem(['analyze', json, '-o', join(folder, 'second.md'), '--quiet']).code).toBe(0);
    expect(readFileSync(join(folder, 'second.md'), 'utf8')).toBe(readFileSync(join(folder, 'first.md'), 'utf8'));
  });

  it('reads the same log from stdin and from gzip', () => {
    const piped = join(folder, 'piped.json');
    const packed = join(folder, 'packed.json');
    writeFileSync(join(folder, 'packed-log'), gzipSync(readFileSync(log)));
    const text = readFileSync(log, 'utf8');
    expect(bullmortem(['analyze', '-', rdb, '-o', piped, '--quiet'], { input: text }).code).toBe(0);
    expect(bullmortem(['analyze', join(folder, 'packed-log'), rdb, '-o', packed, '--quiet']).code).toBe(0);
    const said = (path: string) =>
      readAnalysis(path).findings.map(({ boundary, cause, status }) => ({ boundary, cause, status }));
    expect(said(piped)).toEqual(said(packed));
    expect(said(piped)).toHaveLength(1);
  });
});

describe('the same evidence gives the same bytes', () => {
  const render = (args: readonly string[], cwd: string, env: Record<string, string> = {}): string[] => {
    const outputs = ['a.md', 'a.html', 'a.json'].map((name) => join(folder, name));
    const ran = bullmortem(['analyze', ...args, ...outputs.flatMap((path) => ['-o', path]), '--quiet'], { cwd, env });
    expect(ran.code).toBe(0);
    return outputs.map((path) => readFileSync(path, 'utf8'));
  };
  const paths = ['logs/mailer-1.log', 'logs/mailer-2.log', 'redis/dump.rdb'].map((path) => join(evidence, path));
  const expected = render(paths, ROOT);

  it('twice', () => expect(render(paths, ROOT)).toEqual(expected));
  it('in another order', () => expect(render([...paths].reverse(), ROOT)).toEqual(expected));
  it('as a folder', () => expect(render([evidence], ROOT)).toEqual(expected));
  it('from another folder', () => {
    expect(
      render(
        paths.map((path) => relative(folder, path)),
        folder,
      ),
    ).toEqual(expected);
  });
  it('copied elsewhere', () => {
    const copy = join(folder, 'copy/of/it');
    cpSync(evidence, copy, { recursive: true });
    expect(render([copy], ROOT)).toEqual(expected);
  });
  it.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns'])('in the zone %s', (TZ) => {
    expect(render(paths, ROOT, { TZ })).toEqual(expected);
  });
});

describe('the case file', () => {
  const file = join(folder, 'incident.duckdb');

  it('is kept, opens in DuckDB, and answers the documented questions', async () => {
    expect(bullmortem(['analyze', evidence, '--case', file, '--quiet']).code).toBe(0);
    const queries = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(
      ([, sql]) => sql ?? '',
    );
    expect(queries).toHaveLength(3);
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const answers = await Promise.all(
      queries.map(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson()),
    );
    const [, exported = ''] = /`(EXPORT DATABASE [^`]*)`/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const parquet = join(folder, 'parquet');
    await connection.run(exported.replace("'incident'", `'${parquet}'`));
    expect(readdirSync(parquet)).toContain('events.parquet');
    connection.closeSync();
    instance.closeSync();
    expect(answers[1]?.map((row) => row.kind)).toEqual(
      expect.arrayContaining([
        'added',
        'active',
        'stalled',
        'stalled-notice',
        'lock-missing',
        'completed',
        'acknowledged',
      ]),
    );
    expect(answers[2]).toEqual([
      expect.objectContaining({
        queue: 'mail',
        job: '7',
        attempts_started: 2,
        attempts_made: 1,
        stalled_counter: 1,
        state: 'completed',
      }),
    ]);
  });

  it('is diagnosed again without the evidence', () => {
    const [direct, fromCase] = [join(folder, 'direct.json'), join(folder, 'from-case.json')];
    bullmortem(['analyze', evidence, '-o', direct, '--quiet']);
    const before = readFileSync(file);
    expect(bullmortem(['analyze', file, '-o', fromCase, '--quiet']).code).toBe(0);
    // Digests are of the bytes of the evidence, which a case file does not hold.
    const told = (path: string): unknown =>
      JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) => (key === 'digest' ? undefined : value));
    expect(told(fromCase)).toEqual(told(direct));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('takes more evidence later, and the same evidence once', () => {
    const grown = join(folder, 'grown.duckdb');
    const [later, whole] = [join(folder, 'later.json'), join(folder, 'whole.json')];
    bullmortem(['analyze', join(evidence, 'logs'), '--case', grown, '--quiet']);
    bullmortem(['analyze', join(evidence, 'redis'), '--case', grown, '--quiet']);
    expect(bullmortem(['analyze', evidence, '--case', grown, '-o', later, '--quiet']).code).toBe(0);
    bullmortem(['analyze', evidence, '-o', whole, '--quiet']);
    expect(readAnalysis(later).findings.map(({ id, status, jobs }) => ({ id, status, jobs }))).toEqual(
      readAnalysis(whole).findings.map(({ id, status, jobs }) => ({ id, status, jobs })),
    );
    expect(readAnalysis(later).sources).toHaveLength(3);
  });

  it('is refused when it is something else', () => {
    const other = join(folder, 'other.duckdb');
    copyFileSync(log, other);
    const ran = bullmortem(['analyze', evidence, '--case', other]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^bullmortem: cannot open the case file .*other\.duckdb/);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('bad input', () => {
  const bad = join(folder, 'bad');
  mkdirSync(bad);
  const put = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(bad, name), content);
    return join(bad, name);
  };
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(500).fill(0)]);
  const CASES: [name: string, path: string, code: number, line: RegExp][] = [
    ['a missing path', join(bad, 'nowhere.log'), 4, /no such file or folder: .*nowhere\.log/],
    ['an empty file', put('empty.log', ''), 0, /empty/],
    ['a binary file', put('picture.png', png), 4, /binary/],
    ['a truncated gzip', put('cut.log.gz', gzipSync(readFileSync(log)).subarray(0, -40)), 0, /gzip ends early/],
    ['an RDB cut in half', put('half.rdb', readFileSync(rdb).subarray(0, 1500)), 0, /half\.rdb: .*(end|cut|truncat)/i],
    [
      'a log of another program',
      put('nginx.log', '10.0.0.1 - - [15/Jan/2024:05:30:00 -0500] "GET / HTTP/1.1" 200 12\n'.repeat(30)),
      0,
      /another program/,
    ],
  ];

  it.each(CASES)('%s: one clear line, the good inputs still analysed', (_, path, code, line) => {
    const out = join(folder, 'bad.json');
    const ran = bullmortem(['analyze', evidence, path, '-o', out, '--quiet']);
    const lines = ran.stderr.trim() === '' ? [''] : ran.stderr.trim().split('\n');
    expect(lines, ran.stderr).toHaveLength(1);
    expect(lines[0]).toMatch(line);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
    expect(ran.code).toBe(code);
    const analysis = readAnalysis(out);
    expect(analysis.findings[0]).toMatchObject({ boundary: 'lock-renewal', cause: 'worker-unresponsive' });
  });

  it('names the damage in the report', () => {
    const out = join(folder, 'damage.md');
    bullmortem(['analyze', evidence, join(bad, 'cut.log.gz'), join(bad, 'half.rdb'), '-o', out, '--quiet']);
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(/gzip ends early/);
    expect(text).toMatch(/half\.rdb/);
  });

  it('gives no result when nothing could be read', () => {
    const ran = bullmortem(['analyze', join(bad, 'nowhere.log'), join(bad, 'picture.png')]);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe('');
  });
});

describe('wrong use', () => {
  it.each([
    [['analyze'], /missing required argument/],
    [['analyze', evidence, '-o', 'report.pdf'], /extension/],
    [['analyze', evidence, '--set', 'lockTime=3s'], /--set/],
    [['analyze', evidence, '--set', 'lockDuration=soon'], /duration/],
    [['analyze', evidence, '--tz', 'Mars/Olympus'], /time zone/],
    [['analyze', evidence, '--fail-on', 'often'], /choices/],
    [['explain', 'luck'], /no boundary, cause or rule/],
    [['frobnicate'], /unknown command/],
  ])('%j is exit 2', (args, line) => {
    const ran = bullmortem(args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(line);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
  });

  it('exits with 1 on a finding only where asked', () => {
    expect(bullmortem(['analyze', evidence, '--quiet', '--fail-on', 'likely']).code).toBe(1);
    expect(bullmortem(['analyze', evidence, '--quiet', '--fail-on', 'shown']).code).toBe(0);
    expect(bullmortem(['analyze', evidence, '--quiet']).code).toBe(0);
  });
});
