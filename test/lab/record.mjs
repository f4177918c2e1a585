#!/usr/bin/env node
/**
 * Records incidents with real BullMQ on a real Redis.
 *
 *   node test/lab/record.mjs <scenario> [--bullmq v5|v6] [--log FORMAT] [--words SET] [--lock MS] --out DIR
 *   node test/lab/record.mjs --all --out DIR          every scenario in several versions, formats and words
 *   node test/lab/record.mjs --list
 *
 * A recording is a folder with logs/, redis/, records/ and truth.json. The analyzer is given all but the last.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LOG_CHOICES } from './log-formats.mjs';
import { matrix } from './matrix.mjs';
import { record } from './recorder.mjs';
import { scenarios } from './scenarios.mjs';
import { WORDS } from './words.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bullmq: { type: 'string', default: 'v5' },
    log: { type: 'string', default: 'pino' },
    words: { type: 'string', default: 'a' },
    lock: { type: 'string', default: '1500' },
    out: { type: 'string' },
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

function refuse(why) {
  console.error(
    `${why}\nusage: record.mjs <scenario> --out DIR [--bullmq v5|v6] [--log FORMAT] [--words SET] [--lock MS], or --all --out DIR`,
  );
  process.exit(2);
}
const oneOf = (name, choices) => {
  if (!choices.includes(values[name])) refuse(`--${name} must be one of ${choices.join(', ')}`);
};

if (values.list) {
  for (const { name, about } of scenarios.values()) console.log(`${name.padEnd(28)} ${about}`);
  process.exit(0);
}
if (!values.out) refuse('--out DIR is missing');
oneOf('bullmq', ['v5', 'v6']);
oneOf('log', LOG_CHOICES);
oneOf('words', Object.keys(WORDS));
const lockDuration = Number(values.lock);
if (!(lockDuration >= 1000)) refuse('--lock must be a number of milliseconds, 1000 or more');

// An interrupted recording takes its Redis and its workers with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

async function recordInto(choice, out) {
  const startedAt = Date.now();
  const truth = await record({ ...choice, out, onRefused: (why) => console.log(`  again: ${why}`) });
  const labelled = Object.entries(truth.label.jobs).map(
    ([id, { boundary, duplicate }]) => `${id} ${boundary} ${duplicate}`,
  );
  console.log(
    `${path.basename(out)}: ${labelled.join(', ') || 'healthy'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`,
  );
}

const [name] = positionals;
if (!values.all) {
  const scenario = scenarios.get(name);
  if (scenario === undefined) refuse(`there is no scenario ${name ?? '(none given)'}; --list shows them`);
  const { bullmq, log, words } = values;
  await recordInto({ scenario, bullmq, log, words, lockDuration }, values.out);
} else {
  const lost = [];
  for (const { folder, ...choice } of matrix(positionals)) {
    try {
      await recordInto({ ...choice, lockDuration }, path.join(values.out, folder));
    } catch (err) {
      lost.push(folder);
      console.error(`${folder}: ${err.message}`);
    }
  }
  if (lost.length > 0) console.error(`not recorded: ${lost.join(', ')}`);
  process.exitCode = lost.length > 0 ? 1 : 0;
}
