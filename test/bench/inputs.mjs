/**
 * The inputs of the benchmark, made once in a folder of the system's temporary directory.
 *
 * The RDB is written by a real redis-server, so that its encodings, its compression and its order of keys are real. The
 * append-only file is what real BullMQ workers made a server write. The logs are pino's, with the lines of workers that
 * use BullMQ as its manual shows; in the sparse one, 19 of 20 lines are the application's own.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pipe, withRedis } from './redis.mjs';

const FOLDER = path.join(os.tmpdir(), 'bullmortem-bench');
const START_MS = 1_705_314_600_000;
const FINISHED_JOBS = 400_000;
const KEPT_EVENTS = 10_000;
const AOF_JOBS = 105_000;
const LOG_BYTES = 1024 ** 3;
const RECORD_ROWS = 10_000_000;
/** One line in so many is about a job. */
const SPARSE = 20;

const recipients = ['ada', 'grace', 'edsger', 'barbara', 'donald', 'leslie'];
const mailOf = (n) => ({
  to: `${recipients[n % recipients.length]}.${n}@example.com`,
  template: n % 3 === 0 ? 'invoice' : 'reminder',
  invoice: `INV-${(n * 7919) % 1_000_000}`,
  locale: 'en-GB',
});

/** A finished job as BullMQ 6 leaves it: its hash and its place among the completed. */
function* finishedJob(n) {
  const added = START_MS + n * 40;
  const opts = { attempts: 3, backoff: { type: 'exponential', delay: 1000 } };
  const hash = {
    name: 'send-mail',
    data: JSON.stringify(mailOf(n)),
    opts: JSON.stringify(opts),
    timestamp: added,
    delay: 0,
    priority: 0,
    processedOn: added + 15 + (n % 50),
    ats: 1,
    atm: 1,
    pb: `mailer-${n % 4}`,
    returnvalue: JSON.stringify({ messageId: `<${n.toString(36)}.${added}@mail.example.com>`, accepted: 1 }),
    finishedOn: added + 180 + (n % 90),
  };
  yield ['HSET', `bull:mail:${n}`, ...Object.entries(hash).flat()];
  yield ['ZADD', 'bull:mail:completed', hash.finishedOn, n];
}

function* finishedQueue() {
  for (let n = 1; n <= FINISHED_JOBS; n++) yield* finishedJob(n);
  for (let i = 0; i < KEPT_EVENTS; i++) {
    const n = FINISHED_JOBS - Math.floor((KEPT_EVENTS - i - 1) / 4);
    const id = `${START_MS + n * 40 + (i % 4) * 60}-${i}`;
    const events = [
      ['added', 'name', 'send-mail'],
      ['waiting'],
      ['active', 'prev', 'waiting'],
      ['completed', 'returnvalue', '{"accepted":1}', 'prev', 'active'],
    ];
    const [event, ...fields] = events[i % 4];
    yield ['XADD', 'bull:mail:events', id, 'event', event, 'jobId', n, ...fields];
  }
  yield ['HSET', 'bull:mail:meta', 'opts.maxLenEvents', KEPT_EVENTS, 'version', 'bullmq:6.7.0'];
  yield ['SET', 'bull:mail:id', FINISHED_JOBS];
  yield ['SAVE'];
}

const makeRdb = (file) =>
  withRedis({ appendonly: 'no' }, async (folder, socket) => {
    await pipe(socket, finishedQueue());
    fs.copyFileSync(path.join(folder, 'dump.rdb'), file);
  });

/** Real jobs through real workers. Finished jobs are removed, as busy queues are set up. */
const makeAof = (file) =>
  withRedis({ appendonly: 'yes', appendfsync: 'no', 'auto-aof-rewrite-percentage': 0 }, async (folder, socket) => {
    const { Queue, Worker } = createRequire(import.meta.url)('bullmq-v6');
    const connection = { path: socket, maxRetriesPerRequest: null };
    const queue = new Queue('mail', { connection });
    let done = 0;
    const worker = new Worker('mail', async (job) => ({ messageId: `<${job.id}@mail.example.com>` }), {
      connection,
      concurrency: 50,
      removeOnComplete: { count: 1000 },
    });
    const finished = new Promise((resolve) => {
      worker.on('completed', () => {
        if (++done === AOF_JOBS) resolve();
      });
    });
    for (let n = 0; n < AOF_JOBS; n += 1000) {
      const opts = { attempts: 3, backoff: { type: 'exponential', delay: 1000 } };
      await queue.addBulk(Array.from({ length: 1000 }, (_, i) => ({ name: 'send-mail', data: mailOf(n + i), opts })));
    }
    await finished;
    await worker.close();
    await queue.close();
    const parts = path.join(folder, 'appendonlydir');
    const part = fs.readdirSync(parts).find((name) => name.endsWith('.incr.aof'));
    fs.copyFileSync(path.join(parts, part), file);
  });

/** What a worker says about one job, one line after another. */
function jobLines(n, time) {
  const base = (after, more) =>
    JSON.stringify({ level: 30, time: time + after, pid: 4242 + (n % 4), hostname: `mailer-${n % 4}`, ...more });
  return [
    base(0, { queue: 'mail', jobId: String(n), jobName: 'send-mail', attempt: 1, msg: 'Job started' }),
    base(40, { jobId: String(n), to: mailOf(n).to, msg: 'Template rendered' }),
    base(150, { jobId: String(n), durationMs: 150, msg: 'Mail sent' }),
    base(152, { jobId: String(n), event: 'completed', msg: 'Job completed' }),
  ];
}

function otherLine(n, time) {
  const req = { id: n, method: 'GET', url: `/api/accounts/${n % 5000}/invoices?page=${n % 9}`, remotePort: 40000 };
  return JSON.stringify({
    ...{ level: 30, time, pid: 4242 + (n % 4), hostname: `web-${n % 4}`, req, res: { statusCode: 200 } },
    ...{ responseTime: 12 + (n % 40), msg: 'request completed' },
  });
}

function makeLog(file, every) {
  const out = fs.openSync(file, 'w');
  for (let n = 1, bytes = 0; bytes < LOG_BYTES; ) {
    const lines = [];
    for (let i = 0; i < 1000; i++, n++) {
      const time = START_MS + n * 40;
      for (const line of jobLines(n, time)) {
        lines.push(line);
        for (let k = 1; k < every; k++) lines.push(otherLine(n * every + k, time));
      }
    }
    bytes += fs.writeSync(out, `${lines.join('\n')}\n`);
  }
  fs.closeSync(out);
}

/**
 * Idempotency records of a month: a row a run. One key in two hundred was retried after a failure, one in ten thousand ran
 * to its end twice.
 */
function makeRecords(file) {
  const out = fs.openSync(file, 'w');
  fs.writeSync(
    out,
    'idempotency_key,job_id,queue,attempt,worker,status,resumed_from,checkpoint,started_at,completed_at\n',
  );
  const at = (ms) => new Date(ms).toISOString();
  let rows = 0;
  let lines = [];
  for (let n = 1; rows < RECORD_ROWS; n++) {
    const started = START_MS + n * 250;
    const row = (attempt, status, after) => {
      const from = started + after;
      const end = status === 'started' ? '' : at(from + 180);
      lines.push(
        `mail:send-invoice:INV-${n},${n},mail,${attempt},mailer-${(n + attempt) % 4},${status},0,100,${at(from)},${end}`,
      );
      rows++;
    };
    if (n % 200 === 0) row(1, 'failed', 0);
    row(n % 200 === 0 ? 2 : 1, 'completed', 1000);
    if (n % 10_000 === 1) row(1, 'completed', 31_000);
    if (lines.length > 50_000) {
      fs.writeSync(out, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  fs.writeSync(out, `${lines.join('\n')}\n`);
  fs.closeSync(out);
}

const MAKERS = {
  'finished-jobs.rdb': makeRdb,
  'appendonly.aof': makeAof,
  'dense-1gb.log': (file) => makeLog(file, 1),
  'sparse-1gb.log': (file) => makeLog(file, SPARSE),
  'idempotency.csv': makeRecords,
};

/** Path of an input, which is made where it is missing. */
export async function input(name) {
  fs.mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, name);
  if (fs.existsSync(file)) return file;
  console.log(`making ${file} …`);
  await MAKERS[name](`${file}.part`);
  fs.renameSync(`${file}.part`, file);
  return file;
}
