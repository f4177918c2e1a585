/** The script of `bullmortem collect` against a real Redis under real BullMQ workers: it changes nothing and loses nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job, Queue, Worker } from 'bullmq-v6';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CollectOptions, collectScript } from '../../src/collect/script.js';
import type { Analysis } from '../../src/model/analysis.js';
import { analyze } from '../../src/pipeline/analyze.js';
import { describeWithRedis } from '../redis/with-redis.js';

const bullmq: { Queue: typeof Queue; Worker: typeof Worker } = createRequire(import.meta.url)('bullmq-v6');
const folder = mkdtempSync(join(tmpdir(), 'bullmortem-collect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLAIN = { prefix: 'bull', cluster: false };
let scripts = 0;

/** Runs the script of such options in a folder of its own; `out` is where it collected. */
function collect(options: CollectOptions, port: number, env: Record<string, string> = {}) {
  const home = join(folder, String(++scripts));
  mkdirSync(home);
  const script = join(home, 'collect.sh');
  writeFileSync(script, collectScript(options));
  const ran = spawnSync('sh', [script, 'out'], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, REDIS_PORT: String(port), ...env },
  });
  return { ...ran, home, out: join(home, 'out') };
}

const said = ({ findings }: Analysis) =>
  findings.map(({ boundary, cause, jobs }) => ({
    boundary,
    cause,
    jobs: jobs.map(({ queue, id, duplicate, executions }) => ({ queue, id, duplicate, executions })),
  }));
const analysisOf = async (...inputs: string[]) => (await analyze(inputs, { version: '0' })).analysis;

/** Ids of stream entries behind the first XREVRANGE. */
const entriesIn = (text: string): string[] =>
  [...text.slice(text.indexOf('XREVRANGE')).matchAll(/^ *\d+\) 1\) "(\d+-\d+)"$/gm)].map(([, id = '']) => id);

/** Work that waits until it is let go, so that a lock can be taken from it. */
function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describeWithRedis('the script', ['--appendonly', 'yes', '--aof-timestamp-enabled', 'yes'], (redis) => {
  beforeAll(async () => {
    const connection = { host: '127.0.0.1', port: redis().port };
    const options = { connection, lockDuration: 30_000, stalledInterval: 300 };
    const queue = new bullmq.Queue('mail', { connection });
    const gate = createGate();
    const worker = new bullmq.Worker(
      'mail',
      async (job: Job) => {
        await job.log(`mail to ${job.data.to}`);
        if (job.data.to === 'held@example.com' && job.attemptsStarted === 1) await gate.opened;
      },
      { ...options, concurrency: 3 },
    );
    // The first run of the job whose lock is taken is refused its end: that is the incident.
    worker.on('error', () => {});
    for (let n = 0; n < 20; n++) await queue.add('send', { to: `${n}@example.com` });
    const held = await queue.add('send', { to: 'held@example.com' });
    const isDone = async (job: Job): Promise<boolean> => (await job.getState()) === 'completed';
    const until = async (is: () => Promise<boolean>): Promise<void> => {
      for (let i = 0; i < 200 && !(await is()); i++) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until(async () => (await held.getState()) === 'active');
    await redis().client.del(`bull:mail:${held.id}:lock`);
    await until(() => isDone(held));
    gate.open();
    const again = await queue.getJob('3');
    await again?.retry('completed');
    await until(async () => again !== undefined && (await isDone(again)));
    await queue.add('later', { to: 'later@example.com' }, { delay: 3_600_000 });
    await worker.close();
    await queue.close();
    // The throttle of the sweep is the one key that would end by itself while the script runs.
    await redis().client.del('bull:mail:stalled-check');
  }, 60_000);

  const digest = async (): Promise<string> => String(await redis().client.call('DEBUG', 'DIGEST'));

  it('changes no key', async () => {
    const before = await digest();
    const ran = collect({ ...PLAIN, queue: 'mail', job: '3' }, redis().port, { RDB_OVER_NETWORK: '1' });
    expect(ran.status, ran.stderr).toBe(0);
    expect(await digest()).toBe(before);
    expect(readdirSync(join(ran.out, 'redis')).sort()).toEqual(
      ['appendonlydir', 'events.txt', 'network.rdb', 'queue.txt', 'server.txt'].sort(),
    );
  });

  it('runs under a strict POSIX shell without a word of complaint', () => {
    const ran = collect({ ...PLAIN, queue: 'mail' }, redis().port);
    expect(ran.stderr.split('\n').filter((line) => !line.startsWith('collect: '))).toEqual(['']);
    const text = readFileSync(join(ran.out, 'redis/queue.txt'), 'utf8');
    expect(text).not.toMatch(/\(error\) (?:WRONGTYPE|ERR (?!unknown command))/);
    expect(text).not.toMatch(/> (?:KEYS|MONITOR)\b/);
  });

  it('collects a folder that says what the RDB and the AOF say', async () => {
    const { out } = collect({ ...PLAIN, queue: 'mail' }, redis().port);
    const aof = join(out, 'redis/appendonlydir');
    await redis().save();
    const rdb = join(redis().dir, 'dump.rdb');
    const whole = said(await analysisOf(out));
    expect(whole).toEqual(said(await analysisOf(aof, rdb)));
    expect(whole.map(({ boundary }) => boundary)).toContain('manual-requeue');
    expect(whole.map(({ boundary }) => boundary)).toContain('redis-loss');
    const asked = ['queue.txt', 'events.txt', 'server.txt'].map((name) => join(out, 'redis', name));
    expect(said(await analysisOf(...asked))).toEqual(said(await analysisOf(rdb)));
  }, 60_000);

  it('says the database in use, pages through the stream, and stops at its limits', async () => {
    const { out } = collect({ ...PLAIN, queue: 'mail' }, redis().port, {
      MOST_EVENTS: '7',
      MOST_MEMBERS: '5',
      MOST_JOBS: '2',
    });
    const text = (name: string): string => readFileSync(join(out, 'redis', name), 'utf8');
    expect(text('events.txt')).toMatch(/^redis\[0\]> XREVRANGE "bull:mail:events" \+ - COUNT 7$/m);
    expect(entriesIn(text('events.txt'))).toHaveLength(7);
    const pages = collect({ ...PLAIN, queue: 'mail' }, redis().port, { COLLECT_PAGE: '9', MOST_JOBS: '0' });
    const entries = entriesIn(readFileSync(join(pages.out, 'redis/events.txt'), 'utf8'));
    expect(entries).toHaveLength(await redis().client.xlen('bull:mail:events'));
    expect(new Set(entries).size).toBe(entries.length);
    expect(text('queue.txt')).toMatch(/ZREVRANGE "bull:mail:completed" 0 4 WITHSCORES/);
    expect(text('queue.txt').match(/> HGETALL "bull:mail:\d+"/g)?.length).toBe(2);
  });

  it('takes MONITOR only on request, for so many seconds', async () => {
    const { out } = collect({ ...PLAIN, queue: 'mail' }, redis().port, { MONITOR_SECONDS: '1' });
    expect(readFileSync(join(out, 'redis/monitor.txt'), 'utf8')).toMatch(/^OK\n/);
    await expect.poll(async () => String(await redis().client.call('CLIENT', 'LIST'))).not.toContain('cmd=monitor');
  });

  it('says in one line when Redis does not answer, and leaves nothing behind', () => {
    const ran = collect({ ...PLAIN, queue: 'mail' }, 1);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^collect: Redis does not answer: .+\n$/);
    expect(existsSync(ran.out)).toBe(false);
  });

  const HOSTILE = [
    "it's",
    '"; touch pwned; "',
    '$(touch pwned)',
    '`touch pwned`',
    '-rf /',
    "line\nbreak'; touch pwned #",
    '\\',
    '* ? [a]',
    'é💥',
    '%s%n',
    'redis[0]> SET x y',
  ];
  it.each(HOSTILE)('a queue and a job named %j are names', async (name) => {
    const { client, port } = redis();
    const base = `bull:${name}`;
    await client.hset(`${base}:${name}`, { name: 'send', timestamp: '1767225600000', data: '{}' });
    await client.rpush(`${base}:wait`, name);
    await client.hset(`${base}:meta`, 'opts.maxLenEvents', '10000');
    await client.xadd(`${base}:events`, '*', 'event', 'waiting', 'jobId', name);
    const before = await digest();
    const ran = collect({ ...PLAIN, queue: name, job: name }, port);
    expect(ran.status, ran.stderr).toBe(0);
    expect(await digest()).toBe(before);
    expect(readdirSync(ran.home).sort()).toEqual(['collect.sh', 'out']);
    const { analysis } = await analyze([join(ran.out, 'redis/queue.txt'), join(ran.out, 'redis/events.txt')], {
      version: '0',
      selection: { job: name },
    });
    // A name with a colon in it would be another queue; the answers about this one must be understood as its own.
    if (!name.includes(':')) expect(analysis.stories.map(({ id }) => id)).toContain(name);
  });

  it('understands a prefix with braces, as in a cluster', () => {
    const ran = collect({ queue: 'mail', prefix: '{bull}', cluster: false }, redis().port);
    expect(ran.status).toBe(0);
    expect(readFileSync(join(ran.out, 'redis/queue.txt'), 'utf8')).toContain('> LLEN "{bull}:mail:active"');
  });
});

describe('the text', () => {
  const script = collectScript({ ...PLAIN, queue: 'mail', cluster: true });

  it('is valid for sh, whatever the names', () => {
    for (const queue of ["'", "'\\''", '\n', '$(', '`', '\\'])
      execFileSync('sh', ['-n'], { input: collectScript({ ...PLAIN, queue, job: queue }) });
  });

  it('holds no command that writes, and none that may stop Redis', () => {
    const code = script.replace(/^\s*#.*$/gm, '').replace(/<<'?END'?[\s\S]*?^END$/gm, '');
    for (const command of [
      'DEL',
      'UNLINK',
      'SET',
      'EXPIRE',
      'FLUSHALL',
      'KEYS',
      'EVAL',
      'SAVE',
      'BGSAVE',
      'CONFIG SET',
      'DEBUG',
    ])
      expect(code, command).not.toMatch(new RegExp(`\\b${command}\\b(?! of)`));
  });

  it('says what to freeze, and what to save elsewhere', () => {
    for (const words of ['FREEZE FIRST', 'kubectl logs', '--previous', 'docker logs', 'journalctl', 'OOMKilled'])
      expect(script).toContain(words);
  });
});
