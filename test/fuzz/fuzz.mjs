/**
 * Reads changed inputs by the hundred thousand: a reader must never throw, hang, or take memory by what a file claims, and
 * must say the same however its bytes are cut into blocks.
 *
 *   npm run fuzz [-- --seed N] [--runs N] [--only RUN]
 *
 * A find is written to reports/fuzz, made as small as it gets, and the program ends with 1.
 */
import { fork, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inputs } from './inputs.mjs';
import { readers } from './readers.mjs';
import { inputOfRun } from './run.mjs';

const RUNS = 200_000;
const BATCH = 200;
const PROCESSES = 2;
const HEAP = '--max-old-space-size=256';
/** Real time in which a batch, and a single run, must be through; far more than either needs on a busy machine. */
const BATCH_MS = 300_000;
const RUN_MS = 15_000;
const MAX_FINDS = 20;
const MAX_SMALLER = 400;
const SMALLER_MS = 120_000;
const OUT = fileURLToPath(new URL('../../reports/fuzz', import.meta.url));
const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** Has runs done by a process of its own. A batch in which it dies or hangs is done again run by run. */
async function runBatch(worker, seed, from, to) {
  const outcome = await worker.run({ seed, from, to }, to - from === 1 ? RUN_MS : BATCH_MS);
  if (outcome.finds) return outcome.finds;
  if (to - from === 1) return [{ run: from, kind: outcome.kind, what: outcome.what }];
  const finds = [];
  for (let run = from; run < to; run++) finds.push(...(await runBatch(worker, seed, run, run + 1)));
  return finds;
}

function createWorker() {
  let child;
  const start = () => {
    child = fork(WORKER, { execArgv: [HEAP], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.stderr.resume();
  };
  return {
    run(message, patience) {
      if (child === undefined) start();
      return new Promise((resolve) => {
        const end = (outcome) => {
          clearTimeout(timer);
          child?.removeAllListeners();
          if (!outcome.finds) {
            child?.kill('SIGKILL');
            child = undefined;
          }
          resolve(outcome);
        };
        const timer = setTimeout(() => end({ kind: 'hang', what: `${patience} ms and no end` }), patience);
        child.once('message', end);
        child.once('exit', (code, signal) => end({ kind: 'crash', what: `the process ended with ${code ?? signal}` }));
        child.send(message);
      });
    },
    stop: () => child?.kill(),
  };
}

/** What a process of its own finds in an input. */
function kindOf(input, file) {
  const { bytes, ...about } = input;
  fs.writeFileSync(file, bytes);
  const args = [HEAP, WORKER, file, JSON.stringify(about)];
  const { stdout, signal, status } = spawnSync(process.execPath, args, { timeout: RUN_MS, encoding: 'utf8' });
  if (signal === 'SIGTERM') return 'hang';
  return status === 0 ? (stdout.split('\n')[0] ?? '') : 'crash';
}

/** Leaves out ever smaller pieces as long as the same kind of find remains. */
function minimise(input, kind, file) {
  const until = Date.now() + SMALLER_MS;
  let { bytes } = input;
  let tries = 0;
  for (let piece = Math.ceil(bytes.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < bytes.length; ) {
      if (tries++ > MAX_SMALLER || Date.now() > until) return bytes;
      const smaller = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece)]);
      if (kindOf({ ...input, bytes: smaller }, file) === kind) bytes = smaller;
      else at += piece;
    }
  }
  return bytes;
}

function report(seed, { run, kind, what }) {
  const input = inputOfRun(inputs(), readers, seed, run);
  const { bytes, ...about } = input;
  fs.mkdirSync(OUT, { recursive: true });
  const file = path.join(OUT, `${input.reader}-${kind}-${seed}-${run}.bin`);
  console.log(`FOUND ${kind}: seed ${seed}, run ${run}, reader ${input.reader}, from ${input.name}\n${what}`);
  const small = kindOf(input, file) === kind ? minimise(input, kind, file) : bytes;
  fs.writeFileSync(file, small);
  console.log(`${small.length} of ${bytes.length} bytes are in ${path.relative(process.cwd(), file)}; again:`);
  console.log(`  node test/fuzz/worker.mjs ${path.relative(process.cwd(), file)} '${JSON.stringify(about)}'\n`);
}

async function main() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, runs: { type: 'string' }, only: { type: 'string' } },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const first = values.only === undefined ? 0 : Number(values.only);
  const last = values.only === undefined ? Number(values.runs ?? RUNS) : first + 1;
  console.log(`seed ${seed}, runs ${first} to ${last - 1}`);
  const finds = [];
  let next = first;
  let done = first;
  const startedAt = Date.now();
  const work = async () => {
    const worker = createWorker();
    while (next < last && finds.length < MAX_FINDS) {
      const from = next;
      next = Math.min(last, from + BATCH);
      finds.push(...(await runBatch(worker, seed, from, next)));
      done += Math.min(last, from + BATCH) - from;
      if (done % 10_000 === 0)
        console.log(`${done} runs, ${finds.length} finds, ${Math.round((Date.now() - startedAt) / 1000)} s`);
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  for (const find of finds.slice(0, MAX_FINDS)) report(seed, find);
  console.log(`seed ${seed}: ${done - first} runs, ${finds.length} finds`);
  process.exitCode = finds.length > 0 ? 1 : 0;
}

await main();
