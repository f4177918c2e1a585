/** `--redact` and `--include-data` on the command line: what leaves the evidence and what does not. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aof } from '../redis/aof-bytes.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const evidence = join(folder, 'evidence');
mkdirSync(join(evidence, 'alices-host'), { recursive: true });

/** Everything a job may carry, in each kind of evidence; `CANARY` stands wherever data of the application does. */
const T = 1_796_053_000_000;
const line = (ms: number, fields: object): string =>
  JSON.stringify({ level: 30, time: T + ms, pid: 71, hostname: 'pay-7c9f', name: 'payer', ...fields });
writeFileSync(
  join(evidence, 'alices-host/payer.log'),
  `${[
    line(0, { msg: 'Worker ready', queue: 'payouts' }),
    line(10, { msg: 'Job started', jobId: 'order-A7', queue: 'payouts', jobName: 'pay-out', data: { iban: 'CANARY' } }),
    line(200, { msg: 'progress 50%', jobId: 'order-A7', queue: 'payouts', progress: { percent: 50, iban: 'CANARY' } }),
    line(61_500, { msg: 'Job finished', jobId: 'order-A7', queue: 'payouts', returnvalue: { iban: 'CANARY' } }),
    line(61_600, {
      msg: 'Missing lock for job order-A7. moveToFinished',
      level: 50,
      jobId: 'order-A7',
      queue: 'payouts',
      data: { iban: 'CANARY' },
    }),
  ].join('\n')}\n`,
);
const entry = (ms: number, ...fields: string[]): [string, string[]] => [`${T + ms}-0`, fields];
writeFileSync(
  join(evidence, 'events.json'),
  JSON.stringify({
    'bull:payouts:events': [
      entry(0, 'event', 'added', 'jobId', 'order-A7', 'name', 'pay-out'),
      entry(5, 'event', 'active', 'jobId', 'order-A7', 'prev', 'waiting'),
      entry(150, 'event', 'progress', 'jobId', 'order-A7', 'data', '{"percent":50,"iban":"CANARY"}'),
      entry(60_000, 'event', 'stalled', 'jobId', 'order-A7'),
      entry(60_001, 'event', 'waiting', 'jobId', 'order-A7', 'prev', 'active'),
      entry(60_005, 'event', 'active', 'jobId', 'order-A7', 'prev', 'waiting'),
      entry(61_000, 'event', 'completed', 'jobId', 'order-A7', 'returnvalue', '{"iban":"CANARY"}', 'prev', 'active'),
      entry(
        62_000,
        'event',
        'failed',
        'jobId',
        'order-B8',
        'failedReason',
        'card of Bob declined at db7.acme.internal',
        'prev',
        'active',
      ),
    ],
  }),
);
writeFileSync(
  join(evidence, 'tail.aof'),
  aof(`
    SELECT 0
    HMSET bull:payouts:order-A7 name pay-out data {"iban":"CANARY"} opts {"attempts":1,"who":"CANARY"} timestamp ${T} returnvalue "CANARY"
    XADD bull:payouts:events ${T + 70_000}-0 event completed jobId order-C9 returnvalue "CANARY" prev active
  `),
);

const NAMES = ['payouts', 'pay-7c9f', 'payer', 'pay-out', 'order-A7', 'order-B8', 'alices', 'Bob', 'acme'];

function outputs(...options: string[]): { all: Map<string, string>; code: number | null; stderr: string } {
  const out = join(folder, `out-${options.join('').replace(/\W/g, '')}`);
  const { code, stderr } = bullmortem(['analyze', evidence, '-o', `${out}/`, ...options]);
  const terminal = bullmortem(['analyze', evidence, ...options]).stdout;
  const all = new Map(readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')]));
  return { all: all.set('terminal', terminal), code, stderr };
}

describe('data of jobs', () => {
  it('stays out of every output, while how far a job was is told', () => {
    const { all, code } = outputs();
    expect(code).toBe(0);
    for (const [file, text] of all) expect(text, file).not.toContain('CANARY');
    expect(all.get('report.md')).toContain('progress 50');
    expect(all.get('analysis.json')).toContain('"executions": 2');
  });

  it('is quoted with --include-data, and left out when such an analysis is rendered without', () => {
    const { all } = outputs('--include-data');
    for (const file of ['report.md', 'report.html', 'analysis.json', 'terminal'])
      expect(all.get(file), file).toContain('CANARY');
    const again = join(folder, 'again.md');
    const kept = join(folder, 'out-includedata/analysis.json');
    expect(bullmortem(['analyze', kept, '-o', again, '--quiet']).code).toBe(0);
    expect(readFileSync(again, 'utf8')).not.toContain('CANARY');
    expect(bullmortem(['analyze', evidence, '--include-data', '--redact', '--quiet']).code).toBe(2);
  });
});

describe('--redact', () => {
  const key = join(folder, 'pseudonyms.key');

  it('leaves no name in any output, and makes a key for its owner alone', () => {
    const { all, stderr } = outputs('--redact-key', key);
    expect(stderr).toContain('pseudonyms.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    for (const [file, text] of all)
      for (const name of [...NAMES, 'CANARY']) expect(text, `${name} in ${file}`).not.toContain(name);
    for (const file of ['report.md', 'report.html', 'terminal'])
      expect(all.get(file)?.replace(/\s+/g, ' '), file).toContain('Names in this report are pseudonyms');
  });

  it('gives two reports with one key the same names, and without a key says that they are of one run', () => {
    const [first, second, alone] = ['one', 'two', 'alone'].map((name) => join(folder, `${name}.json`));
    bullmortem(['analyze', evidence, '-o', first ?? '', '--redact-key', key]);
    bullmortem(['analyze', evidence, '-o', second ?? '', '--redact-key', key]);
    expect(readFileSync(second ?? '')).toEqual(readFileSync(first ?? ''));
    const { stderr } = bullmortem(['analyze', evidence, '-o', alone ?? '', '--redact']);
    expect(stderr).toContain('of this run alone');
    expect(readFileSync(alone ?? '')).not.toEqual(readFileSync(first ?? ''));
  });

  it('an earlier analysis is redacted like its evidence', () => {
    const [plain, redacted] = [join(folder, 'plain.json'), join(folder, 'redacted.json')];
    bullmortem(['analyze', evidence, '-o', plain, '--quiet']);
    bullmortem(['analyze', plain, '-o', redacted, '--redact-key', key, '--quiet']);
    expect(readFileSync(redacted)).toEqual(readFileSync(join(folder, 'one.json')));
  });

  it('verify reads the redacted analysis: with the key record by record, without by the hash of the sources', () => {
    const json = join(folder, 'one.json');
    const keyed = bullmortem(['verify', json, evidence, '--redact-key', key]);
    expect(keyed.code).toBe(0);
    expect(keyed.stdout).not.toContain('keeps no digest');
    expect(bullmortem(['verify', json, evidence]).code).toBe(0);
    const copy = join(folder, 'copy');
    cpSync(evidence, copy, { recursive: true });
    const log = join(copy, 'alices-host/payer.log');
    writeFileSync(log, readFileSync(log, 'utf8').replace('order-A7', 'order-A8'));
    const { code, stdout } = bullmortem(['verify', json, copy, '--redact-key', key]);
    expect(code).toBe(1);
    expect(stdout).toContain('Does not hold');
  });

  it('a file that is no key, or cannot be written, is wrong use', () => {
    const wrong = join(folder, 'short.key');
    writeFileSync(wrong, 'short\n');
    chmodSync(wrong, 0o600);
    for (const path of [wrong, join(folder, 'no/such/folder/key')]) {
      const { code, stderr } = bullmortem(['analyze', evidence, '--quiet', '--redact-key', path]);
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});
