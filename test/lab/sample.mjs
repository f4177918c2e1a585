#!/usr/bin/env node
/**
 * Records the incidents of samples/: `node test/lab/sample.mjs [name…]`. Everything in them comes from the recording,
 * the README too; nothing is typed by hand. Locks live 30 s as by default, so a sample takes up to three minutes.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { record } from './recorder.mjs';
import { scenarios } from './scenarios.mjs';

const INCIDENTS = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../samples/incidents');
const LOCK_MS = 30_000;

/** What a team has at hand after an incident: the logs, and a dump of Redis. */
const EVIDENCE = ['logs', 'redis/dump.rdb'];

const SAMPLES = {
  starved: { bullmq: 'v5', log: 'pino', words: 'a' },
  'crash-before-ack': { bullmq: 'v6', log: 'nest', words: 'b' },
  'delayed-return': { bullmq: 'v6', log: 'winston', words: 'c' },
  'starved-skewed': { bullmq: 'v6', log: 'winston', words: 'c' },
};

const iso = (ms) => (ms === null ? 'did not end' : new Date(ms).toISOString());

function jobSection([id, job]) {
  const runs = job.runs.map(
    (run, i) =>
      `| ${i + 1} | ${run.worker} | ${iso(run.at)} | ${iso(run.endedAt)} | ${run.reachedEnd ? 'yes' : 'no'} |`,
  );
  return [
    `Job ${id}: boundary **${job.boundary}**, cause **${job.cause[0]}**, duplicate work: **${job.duplicate}**${job.overlapMs > 0 ? `, ${job.overlapMs} ms at once` : ''}.`,
    '',
    '| run | worker | began | ended | did its work to the end |',
    '| --- | --- | --- | --- | --- |',
    ...runs,
  ].join('\n');
}

function readme(name, { bullmq, log, words }, truth, about) {
  const version = bullmq === 'v5' ? '5' : '6';
  return `# ${name}

${about}

Recorded from real BullMQ ${version} workers on a real Redis, with the default lock of ${LOCK_MS / 1000} s, by

\`\`\`
node test/lab/record.mjs ${name} --bullmq ${bullmq} --log ${log} --words ${words} --lock ${LOCK_MS} --out DIR
\`\`\`

of which \`evidence/\` holds ${EVIDENCE.map((part) => `\`${part}\``).join(' and ')}; \`node test/lab/sample.mjs ${name}\` wrote this folder.

## What really happened

As the worker processes told the recorder on a channel that is no part of the evidence (\`truth.json\`). Every other job is
healthy.

${Object.entries(truth.label.jobs).map(jobSection).join('\n\n')}
`;
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SAMPLES)) {
  const choice = SAMPLES[name];
  const scenario = scenarios.get(name);
  if (choice === undefined || scenario === undefined) throw new Error(`there is no sample ${name}`);
  const recording = fs.mkdtempSync(path.join(os.tmpdir(), 'sample-'));
  const truth = await record({ scenario, ...choice, lockDuration: LOCK_MS, out: recording, onRefused: console.log });
  const folder = path.join(INCIDENTS, name);
  fs.rmSync(path.join(folder, 'evidence'), { recursive: true, force: true });
  for (const part of EVIDENCE) {
    fs.cpSync(path.join(recording, part), path.join(folder, 'evidence', part), { recursive: true });
  }
  const { raw, ...told } = truth;
  fs.writeFileSync(path.join(folder, 'truth.json'), `${JSON.stringify(told, null, 2)}\n`);
  fs.writeFileSync(path.join(folder, 'README.md'), readme(name, choice, truth, scenario.about));
  fs.rmSync(recording, { recursive: true });
  console.log(`samples/incidents/${name}`);
}
