/**
 * Records the small real inputs that are mutated, once: what a Redis keeps of a few real jobs, in every form that is read.
 *
 *   node test/fuzz/record.mjs
 *
 * They are kept in test/fuzz/seeds so that a seed means the same run everywhere.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRedis } from '../lab/redis-server.mjs';

const SEEDS = fileURLToPath(new URL('seeds', import.meta.url));
const QUEUE = 'mail';

/** With a stack of its own: the real one would name a folder of this machine. */
function failure() {
  const error = new Error('no route to "mail.example.com"\nat send');
  error.stack = `Error: ${error.message}\n    at Mailer.send (/app/mailer.js:12:7)`;
  return error;
}

async function playJobs(redis) {
  const { Queue, Worker } = createRequire(import.meta.url)('bullmq-v6');
  const connection = { host: redis.host, port: redis.port, maxRetriesPerRequest: null };
  const queue = new Queue(QUEUE, { connection });
  await queue.addBulk([
    { name: 'send', data: { to: 'ada@example.com' }, opts: { attempts: 3 } },
    { name: 'send', data: { to: 'grüße@example.com', text: 'a'.repeat(120) } },
    { name: 'fail', data: {}, opts: { attempts: 2 } },
    { name: 'later', data: {}, opts: { delay: 3_600_000 } },
    { name: 'urgent', data: {}, opts: { priority: 2, jobId: 'order-7' } },
  ]);
  let ended = 0;
  const worker = new Worker(
    QUEUE,
    async (job) => {
      await job.updateProgress({ step: 'render', percent: 50 });
      await job.log('rendered');
      if (job.name === 'fail') throw failure();
      return { ok: true };
    },
    { connection, name: 'mailer-1' },
  );
  await new Promise((resolve) => {
    const count = () => ++ended === 5 && resolve();
    worker.on('completed', count).on('failed', count);
  });
  await worker.close();
  // A job that is active for ever: its lock is in the snapshot.
  await queue.add('send', { to: 'grace@example.com' });
  const holder = new Worker(QUEUE, undefined, { connection });
  await holder.getNextJob('token:1');
  return async () => {
    await holder.close(true);
    await queue.close();
  };
}

/** What somebody types during an incident, and what redis-cli prints for it. */
function transcript(port) {
  const cli = (...args) => execFileSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8' });
  const commands = [
    ['HGETALL', `bull:${QUEUE}:1`],
    ['HGETALL', `bull:${QUEUE}:3`],
    ['LRANGE', `bull:${QUEUE}:active`, '0', '-1'],
    ['ZRANGE', `bull:${QUEUE}:failed`, '0', '-1', 'WITHSCORES'],
    ['GET', `bull:${QUEUE}:6:lock`],
    ['PTTL', `bull:${QUEUE}:6:lock`],
    ['XRANGE', `bull:${QUEUE}:events`, '-', '+', 'COUNT', '8'],
    ['TIME'],
    ['GET', 'nothing'],
    ['LPOP'],
  ];
  const typed = commands.map((words) => `127.0.0.1:${port}> ${words.join(' ')}\n${cli('--no-raw', ...words)}`).join('');
  const asked = (...mode) =>
    commands.map((words) => `$ redis-cli ${[...mode, ...words].join(' ')}\n${cli(...mode, ...words)}`);
  return {
    'typed.transcript': typed,
    'json.transcript': asked('--json').join(''),
    'raw.transcript': asked('--raw').join(''),
  };
}

/** The same keys as two dump tools write them. */
async function jsonDumps(client) {
  const keys = (await client.keys('*')).sort();
  const flat = {};
  const lines = [];
  for (const key of keys) {
    const type = await client.type(key);
    const value = await readers[type]?.(client, key);
    if (value === undefined) continue;
    flat[key] = value;
    lines.push(JSON.stringify({ db: 0, key, ttl: -1, type, value, size: 42 }));
  }
  return { 'flat.dump.json': JSON.stringify([flat], null, 1), 'lines.dump.json': `${lines.join('\n')}\n` };
}

/** Scripts are sent whole at their first use, up to 40 KB each: of those only the beginning is kept, which names them. */
const withoutScripts = (monitor) => monitor.replace(/("eval" "(?:[^"\\]|\\.){300})(?:[^"\\]|\\.)*"/g, '$1"');

const readers = {
  string: (client, key) => client.get(key),
  hash: (client, key) => client.hgetall(key),
  list: (client, key) => client.lrange(key, 0, -1),
  set: (client, key) => client.smembers(key),
  zset: (client, key) => client.zrange(key, 0, -1, 'WITHSCORES'),
};

const redis = await startRedis();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmortem-record-'));
const close = await playJobs(redis);
const texts = { ...transcript(redis.port), ...(await jsonDumps(redis.client)) };
await redis.collect(folder, QUEUE);
await close();
await redis.stop();
fs.mkdirSync(SEEDS, { recursive: true });
for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(SEEDS, name), text);
for (const name of ['dump.rdb', 'events.xrange.json']) fs.copyFileSync(path.join(folder, name), path.join(SEEDS, name));
const monitor = fs.readFileSync(path.join(folder, 'monitor.txt'), 'latin1');
fs.writeFileSync(path.join(SEEDS, 'monitor.txt'), withoutScripts(monitor), 'latin1');
const parts = path.join(folder, 'appendonlydir');
const part = (end) =>
  fs.readFileSync(
    path.join(
      parts,
      fs.readdirSync(parts).find((name) => name.endsWith(end)),
    ),
  );
fs.writeFileSync(path.join(SEEDS, 'commands.aof'), part('.incr.aof'));
fs.writeFileSync(
  path.join(SEEDS, 'preamble.aof'),
  Buffer.concat([part('.base.rdb'), part('.incr.aof').subarray(0, 6000)]),
);
fs.rmSync(folder, { recursive: true });
process.exit(0);
