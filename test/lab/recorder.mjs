/**
 * Records one incident: starts Redis and worker processes, lets the scenario play, collects the evidence, and writes the
 * truth beside it. A recording that does not show what its scenario says is refused and played again, because a busy machine
 * can starve a worker that should have been healthy.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { anonymous } from './anonymous.mjs';
import { createLab } from './lab.mjs';
import { startRedis } from './redis-server.mjs';
import { factsOf, faultsOf, idempotencyRows } from './truth.mjs';

const TRIES = 3;

async function recordOnce({ scenario, bullmq, log, words, lockDuration, out }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmq-recording-'));
  const startedAt = Date.now();
  const redis = await startRedis(scenario.redis);
  const lab = createLab({ bullmq, log, words, lockDuration, redis, folder });
  const { application } = lab;
  try {
    await scenario.play(lab);
    const endedAt = Date.now();
    await redis.collect(path.join(folder, 'redis'), application.queue);
    // Evidence is taken while the workers still run. What ends them afterwards is the harness, and no part of it.
    const raw = [...lab.journal].sort((x, y) => x.t - y.t);
    const faults = faultsOf({ raw, blamed: lab.blamed, recordedUntil: endedAt });
    for (const file of fs.readdirSync(path.join(folder, 'logs'))) {
      const log = path.join(folder, 'logs', file);
      fs.writeFileSync(log, anonymous(fs.readFileSync(log, 'utf8')));
    }
    for (const ship of lab.shipping) ship(path.join(folder, 'logs'));
    const records = idempotencyRows(raw, {
      queue: application.queue,
      jobName: application.job,
      hostOf: (name) => lab.processOf(name).host,
      keyOf: lab.refOf,
    });
    fs.mkdirSync(path.join(folder, 'records'));
    fs.writeFileSync(path.join(folder, 'records', 'idempotency.csv'), records);
    const jobs = Object.fromEntries(
      Object.entries(lab.blamed).map(([job, { boundary, cause, more }]) => [
        job,
        { boundary, cause, ...factsOf(raw, job, endedAt), ...more },
      ]),
    );
    const truth = {
      scenario: scenario.name,
      bullmq,
      log,
      words,
      queue: application.queue,
      lockDuration,
      stalledInterval: lockDuration,
      startedAt,
      endedAt,
      label: { jobs, ...lab.label },
      raw,
    };
    fs.writeFileSync(path.join(folder, 'truth.json'), `${JSON.stringify(truth, null, 1)}\n`);
    if (faults.length === 0) {
      fs.rmSync(path.join(folder, 'plans'), { recursive: true });
      fs.rmSync(out, { recursive: true, force: true });
      fs.mkdirSync(path.dirname(out), { recursive: true });
      fs.cpSync(folder, out, { recursive: true });
    }
    return { faults, truth };
  } finally {
    await lab.close();
    await redis.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Records a scenario into `out` and returns its truth. Refused recordings are played again; `onRefused` hears why.
 * Throws when no try was sound.
 */
export async function record(options) {
  const refused = [];
  for (let n = 1; n <= TRIES; n++) {
    try {
      const { faults, truth } = await recordOnce(options);
      if (faults.length === 0) return truth;
      refused.push(faults.join('; '));
    } catch (err) {
      refused.push(err.message);
    }
    options.onRefused?.(refused.at(-1));
  }
  throw new Error(
    `${options.scenario.name} (${options.bullmq}, ${options.log}): ${TRIES} recordings refused: ${refused.join(' | ')}`,
  );
}
