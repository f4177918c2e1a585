/**
 * `--job`, `--at`, `--queue`, `--worker` and the stretches of time. Most of it is asked within this process, by the same
 * options; what a user sees of it by the built command.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/exit-codes.js';
import { checkSelection } from '../../src/cli/selection-options.js';
import { type Analysis, analysisSchema } from '../../src/model/analysis.js';
import { analyze as analyzeEvidence } from '../../src/pipeline/analyze.js';
import { ROOT } from '../project/tree.js';
import { aof } from '../redis/aof-bytes.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const sample = (name: string) => join(ROOT, 'samples/incidents', name, 'evidence');
const starved = sample('starved');

/** The analysis of some evidence under options as they are typed: `--name`, value, … */
async function analyze(evidence: string, ...args: string[]): Promise<Analysis> {
  const { case: casePath, 'assume-tz': assumeTz, ...raw } = optionsOf(args);
  const { selection, optionsText, zoneless } = checkSelection(raw, assumeTz);
  const isCase = evidence.endsWith('.duckdb');
  const { analysis } = await analyzeEvidence(isCase ? [] : [evidence], {
    version: '0.0.0',
    selection,
    optionsText,
    zoneless,
    ...(casePath === undefined ? {} : { casePath }),
    ...(isCase ? { openCases: [evidence] } : {}),
  });
  return analysisSchema.parse(analysis);
}

const optionsOf = (args: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(args.flatMap((arg, n) => (n % 2 === 0 ? [[arg.slice(2), args[n + 1]]] : [])));

const jobsOf = ({ findings }: Analysis) => findings.flatMap(({ jobs }) => jobs.map(({ id }) => id));
const stories = (analysis: Analysis) => analysis.stories.map(({ queue, id }) => `${queue}:${id}`);

describe('--job', () => {
  it('tells one job, and leaves everything that is not a finding or a story as it was', async () => {
    const all = await analyze(sample('delayed-return'));
    const one = await analyze(sample('delayed-return'), '--job', 'render:clip-307');
    expect(jobsOf(all)).toEqual(['clip-306', 'clip-307']);
    expect(jobsOf(one)).toEqual(['clip-307']);
    expect(stories(one)).toEqual(['render:clip-307']);
    expect(one.stories[0]).toEqual(all.stories.find(({ id }) => id === 'clip-307'));
    for (const part of ['sources', 'coverage', 'clocks', 'workers', 'settings', 'exposure'] as const)
      expect(one[part], part).toEqual(all[part]);
    expect(one.run.options).toEqual(['--job render:clip-307']);
    expect(one.limits).toContainEqual(expect.objectContaining({ what: 'verdicts that were not asked for', count: 1 }));
  });

  it('tells a healthy job, too, and says that the failures are elsewhere', async () => {
    const healthy = await analyze(starved, '--job', 'mail:3');
    expect(jobsOf(healthy)).toEqual([]);
    expect(stories(healthy)).toEqual(['mail:3']);
    expect(healthy.stories[0]?.timeline.map(({ kind }) => kind)).toContain('completed');
    const { stdout } = bullmortem(['analyze', starved, '--job', 'mail:3']);
    expect(stdout).toMatch(/^No failed boundary found in what was asked for\n/);
    expect(stdout).toContain(
      'Asked for: --job mail:3; all of the evidence was read. 1 verdict outside of it is not told.',
    );
    expect(stdout).toMatch(/\nJob mail:3\n.*Outcome: completed\. run 1 completed\.\n/);
  });

  it.each(['7', 'mail:7', 'bull:mail:7', 'bull:mail:7:lock', 'bull:mail:7:logs', 'bull:mail:7:unsuccessful'])(
    'reads %s',
    async (name) => {
      expect(stories(await analyze(starved, '--job', name))).toEqual(['mail:7']);
    },
  );

  const log = (prefix: string, ...ids: string[]) =>
    aof(
      `SELECT 0\n${ids.map((id, n) => `XADD ${prefix}:events ${1796044807000 + n}-0 event added jobId ${id} name send`).join('\n')}`,
    );
  const put = (name: string, content: Uint8Array): string => {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    writeFileSync(join(folder, 'logs', name), content);
    return join(folder, 'logs', name);
  };

  it('reads ids that hold colons, and prefixes other than bull', async () => {
    const path = put('colons.aof', log('{acme}:mail', 'repeat:0f3a:1796044800000', '42'));
    for (const name of ['{acme}:mail:repeat:0f3a:1796044800000', 'repeat:0f3a:1796044800000'])
      expect(stories(await analyze(path, '--job', name)), name).toEqual(['{acme}:mail:repeat:0f3a:1796044800000']);
    for (const name of ['{acme}:mail:42:processed', 'mail:42'])
      expect(stories(await analyze(path, '--job', name)), name).toEqual(['{acme}:mail:42']);
  });

  it('names the queues where an id alone fits several', async () => {
    const path = put('two.aof', Buffer.concat([log('bull:mail', '42'), log('bull:bill', '42')]));
    const ran = bullmortem(['analyze', path, '--job', '42']);
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: 'bullmortem: --job "42" can mean 2 jobs; name one of them: bill:42, mail:42\n',
    });
    expect(stories(await analyze(path, '--job', 'bill:42'))).toEqual(['bill:42']);
  });

  it.each([
    ['mail:999', 'the queues in it are mail'],
    ['other:7', 'it has mail:7'],
    ['{other}:mail:7', 'it has mail:7'],
  ])('%s is no result, and one line says why', (name, hint) => {
    const ran = bullmortem(['analyze', starved, '--job', name]);
    expect(ran).toEqual({
      code: 3,
      stdout: '',
      stderr: `bullmortem: no result: job ${JSON.stringify(name)} is not in the evidence; ${hint}\n`,
    });
  });
});

describe('--at', () => {
  const A = '99de46a1-1f60-4faf-8c76-55ce518e8ddf:0';
  const T = 1796044807000;
  const path = join(folder, 'appendonly.aof');
  beforeAll(() => {
    writeFileSync(
      path,
      aof(`
        SELECT 0
        MULTI
        HMSET bull:mail:7 name send data {} opts {} timestamp ${T}
        XADD bull:mail:events ${T + 100}-0 event added jobId 7 name send
        LPUSH bull:mail:wait 7
        EXEC
        MULTI
        RPOPLPUSH bull:mail:wait bull:mail:active
        SET bull:mail:7:lock ${A} PXAT ${T + 30200}
        XADD bull:mail:events ${T + 200}-0 event active jobId 7 prev waiting
        HMSET bull:mail:7 processedOn ${T + 198}
        HINCRBY bull:mail:7 ats 1
        EXEC
        XADD bull:mail:events ${T + 9000}-0 event progress jobId 9 data 1`),
    );
  });
  const answer = ({ at }: Analysis, question: string) =>
    at?.answers.find((one) => one.question.startsWith(question))?.answer;

  it.each([
    ['2026-11-30T13:20:08.200Z'],
    ['2026-11-30T14:20:08.200+01:00'],
    [`${T + 1200}`],
    [`${T + 1200}-17`],
    ['2026-11-30T13:20:08.200', '--assume-tz', 'UTC'],
    ['2026-11-30T14:20:08.200', '--assume-tz', 'Europe/Berlin'],
  ])('reads %s', async (time, ...zone) => {
    const analysis = await analyze(path, '--job', 'mail:7', '--at', time, ...zone);
    expect(analysis.at?.moment.at).toBe('2026-11-30T13:20:08.200Z');
    expect(answer(analysis, 'PTTL')).toBe('(integer) 29000');
    expect(analysis.settings.filter(({ scope }) => scope === '--at')).toEqual([]);
    expect(analysis.run.options).toContain('--at 2026-11-30T13:20:08.200Z');
  });

  it('says that it took UTC where a time names no zone', async () => {
    const { settings } = await analyze(path, '--job', 'mail:7', '--at', '2026-11-30 13:20:08.200');
    expect(settings).toContainEqual({ name: 'zone', value: 'UTC', basis: 'assumed', scope: '--at', refs: [] });
  });

  it('stands in every report', () => {
    const outputs = ['at.md', 'at.html'].map((name) => join(folder, name));
    bullmortem([
      'analyze',
      path,
      '--job',
      '7',
      '--at',
      `${T + 1200}`,
      ...outputs.flatMap((out) => ['-o', out]),
      '--quiet',
    ]);
    const { stdout } = bullmortem(['analyze', path, '--job', '7', '--at', `${T + 1200}`]);
    for (const text of [stdout, ...outputs.map((out) => readFileSync(out, 'utf8'))]) {
      expect(text).toContain('PTTL bull:mail:7:lock');
      expect(text).toContain('(integer) 29000');
      expect(text).toContain('LRANGE bull:mail:active 0 -1');
    }
    expect(stdout).toContain(`  > GET bull:mail:7:lock\n    "${A}"  appendonly.aof +`);
  });

  it('a case file answers from what it holds, and fully once it was asked beside the evidence', async () => {
    const file = join(folder, 'kept.duckdb');
    const moment = ['--job', 'mail:7', '--at', `${T + 1200}`];
    await analyze(path, '--case', file);
    const before = await analyze(file, ...moment);
    expect(answer(before, 'GET')).toBe(`"${A}"`);
    expect(answer(before, 'PTTL')).toBe('(integer) 29000');
    expect(answer(before, 'LRANGE bull:mail:active')).toBe('… "7" …');
    const hash = before.at?.answers.find(({ question }) => question.startsWith('HGETALL'));
    expect(hash).toMatchObject({ known: false, why: expect.stringContaining('give that file beside the case') });
    // The content is in the case already; what was asked for is added to it.
    const beside = await analyze(path, '--case', file, ...moment);
    expect(answer(beside, 'HGET bull:mail:7 ats')).toBe('"1"');
    copyFileSync(file, join(folder, 'copy.duckdb'));
    expect(answer(await analyze(join(folder, 'copy.duckdb'), ...moment), 'HGET bull:mail:7 ats')).toBe('"1"');
  });

  it('changes nothing else', async () => {
    const { at: _, run, ...asked } = await analyze(path, '--job', 'mail:7', '--at', `${T + 1200}`);
    const { run: plainRun, ...plain } = await analyze(path, '--job', 'mail:7');
    expect(asked).toEqual(plain);
    expect(run.options.filter((option) => !option.startsWith('--at'))).toEqual(plainRun.options);
  });
});

describe('selections', () => {
  it('--queue and --worker keep what they name, by any of its names', async () => {
    expect(jobsOf(await analyze(starved, '--queue', 'mail'))).toEqual(['7']);
    expect(jobsOf(await analyze(starved, '--queue', 'bull:mail'))).toEqual(['7']);
    for (const name of ['mailer-b41e', 'mailer-7c9f', '11424'])
      expect(jobsOf(await analyze(starved, '--worker', name)), name).toEqual(['7']);
    expect(jobsOf(await analyze(sample('crash-before-ack'), '--worker', 'billing-x2x4q'))).toEqual(['7']);
  });

  it('a worker sees what it had a part in', async () => {
    // The other worker ran the second step of one of the two clips.
    expect(jobsOf(await analyze(sample('delayed-return'), '--worker', 'media-02'))).toEqual(['clip-306', 'clip-307']);
    expect(jobsOf(await analyze(sample('delayed-return'), '--worker', 'media-01'))).toEqual(['clip-306']);
  });

  it.each([
    [['--from', '2026-11-30T15:39:40Z'], []],
    [['--from', '2026-11-30T15:38:30Z'], ['7']],
    [['--to', '2026-11-30T15:37:50Z'], []],
    [['--to', '2026-11-30T15:38:00Z'], ['7']],
    [['--around', '2026-11-30T15:42:00Z'], ['7']],
    [['--around', '2026-11-30T15:42:00Z', '--within', '1m'], []],
  ])('%j keeps %j', async (args, ids) => {
    const analysis = await analyze(starved, ...args);
    expect(jobsOf(analysis)).toEqual(ids);
    expect(analysis.totals.jobs).toBe(11);
  });

  it('a worker that was killed stays killed in a report about somebody else', async () => {
    const all = (await analyze(sample('crash-before-ack'))).workers;
    expect(all.some(({ ended }) => ended === 'killed')).toBe(true);
    const later = await analyze(sample('crash-before-ack'), '--to', '2020-01-01T00:00:00Z');
    expect(later.workers).toEqual(all);
  });

  it.each([
    [['--at', '2026-11-30T15:38:00Z'], /^--at .*--job QUEUE:ID$/],
    [['--job', 'mail:7', '--at', 'noon'], /^--at "noon" is no moment: write .*$/],
    [['--job', 'mail:7', '--at', '15:38:00'], /^--at "15:38:00" is no moment: .*$/],
    [['--job', 'mail:7', '--at', '05/06/2026 15:38:00'], /^--at .*which number is the day is open.*$/],
    [['--job', ''], /^--job names one job: .*$/],
    [['--queue', ' '], /^--queue names one queue of the evidence$/],
    [['--within', '5m'], /^--within .*--around TIME.*$/],
    [['--around', '2026-11-30T15:38:00Z', '--within', 'long'], /^--within: "long" is not a duration.*$/],
    [['--around', '2026-11-30T15:38:00Z', '--to', '2026-11-30T15:38:00Z'], /^--around .*$/],
    [['--from', '2026-12-01T00:00:00Z', '--to', '2026-11-30T00:00:00Z'], /^--from lies after --to.*$/],
  ])('%j is wrong use', (args, line) => {
    expect(() => checkSelection(optionsOf(args), undefined)).toThrow(UsageError);
    expect(() => checkSelection(optionsOf(args), undefined)).toThrow(line);
  });

  it('wrong use is exit 2 and one line', () => {
    const ran = bullmortem(['analyze', starved, '--at', '2026-11-30T15:38:00Z']);
    expect(ran).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^bullmortem: --at .*--job QUEUE:ID\n$/),
    });
  });

  it.each([
    [['--queue', 'nosuch'], 'no queue in the evidence is named "nosuch"; it knows mail'],
    [['--worker', 'nosuch'], 'no worker in the evidence goes by "nosuch"; it knows mailer-7c9f, mailer-b41e'],
  ])('%j is no result', (args, line) => {
    expect(bullmortem(['analyze', starved, ...args])).toEqual({
      code: 3,
      stdout: '',
      stderr: `bullmortem: no result: ${line}\n`,
    });
  });

  it('an earlier analysis cannot be selected from', () => {
    const json = join(folder, 'earlier.json');
    bullmortem(['analyze', starved, '-o', json, '--quiet']);
    const ran = bullmortem(['analyze', json, '--job', 'mail:7']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^bullmortem: an earlier analysis\.json .*\n$/);
  });
});
