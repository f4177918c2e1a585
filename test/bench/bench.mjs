/**
 * How fast and in how much memory evidence is taken in, beside other programs on the same file in the same rounds.
 *
 *   npm run bench [-- rdb|aof|logs|sparse|records …] [--rounds N] [--threads 1|2]
 *
 * The figures are medians of whole processes, start and end included, and their highest peak of memory. No figure is a
 * failure: a machine is as busy as it is. `--threads 1` reads where the case file is kept, in one thread.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { input } from './inputs.mjs';
import { isInstalled, measure } from './measure.mjs';

const ROUNDS = 5;
const script = (name, ...args) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL(name, import.meta.url)), ...args],
});

/** Each course: its input, and who runs on it. */
const COURSES = {
  rdb: {
    name: 'finished-jobs.rdb',
    peers: (file) => [{ name: 'redis-check-rdb', command: 'redis-check-rdb', args: [file] }],
  },
  aof: {
    name: 'appendonly.aof',
    peers: (file) => [{ name: 'redis-check-aof', command: 'redis-check-aof', args: [file] }],
  },
  logs: { name: 'dense-1gb.log', peers: readersOfLines },
  sparse: { name: 'sparse-1gb.log', peers: readersOfLines },
  /** Ten million rows; the peer only counts the rows of each key. */
  records: {
    name: 'idempotency.csv',
    ours: (file) => script('../../bin/bullmortem.js', 'audit', file, '--fail-on', 'never', '--quiet'),
    peers: (file) => [{ name: 'DuckDB GROUP BY key', ...script('group-by.mjs', file) }],
  },
};

function readersOfLines(file) {
  return [
    { name: 'JSON.parse of each line', ...script('parse-lines.mjs', file) },
    { name: 'jq, lines of one job', command: 'jq', args: ['-c', 'select(.jobId == "77")', file] },
    { name: 'ripgrep, lines of one job', command: 'rg', args: ['"jobId":"77"', file] },
    { name: 'DuckDB read_json', ...script('read-json.mjs', file) },
  ];
}

const fixed = (value, digits, unit) => (value === undefined ? '' : `${value.toFixed(digits)} ${unit}`).padStart(12);

function show({ name, wall, user, megabytes }, ours, inputMegabytes) {
  const rate = inputMegabytes / wall;
  const cpu = user === undefined ? '' : `, ${(ours.user / user).toFixed(2)} times the CPU`;
  const compared = name === ours.name ? '' : `bullmortem takes ${(ours.wall / wall).toFixed(2)} times as long${cpu}`;
  console.log(
    `  ${name.padEnd(28)}${fixed(user, 2, 's user')}${fixed(wall, 2, 's wall')}${fixed(rate, 0, 'MB/s')}${fixed(megabytes, 0, 'MB')}   ${compared}`,
  );
}

async function runCourse(course, rounds, threads) {
  const { name, peers, ours = (of) => script('take-in.mjs', of, threads) } = COURSES[course];
  const file = await input(name);
  const inputMegabytes = fs.statSync(file).size / 1e6;
  const others = peers(file).filter(({ command }) => isInstalled(command));
  const figures = measure([{ name: 'bullmortem', ...ours(file) }, ...others], rounds);
  console.log(`${path.basename(file)}, ${inputMegabytes.toFixed(0)} MB, ${rounds} rounds`);
  for (const figure of figures) show(figure, figures[0], inputMegabytes);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, threads: { type: 'string' } },
});
const courses = positionals.length > 0 ? positionals : Object.keys(COURSES);
const unknown = courses.find((course) => !Object.hasOwn(COURSES, course));
if (unknown !== undefined) {
  console.error(`usage: npm run bench [-- ${Object.keys(COURSES).join('|')} …] [--rounds N] [--threads 1|2]`);
  process.exit(2);
}
for (const course of courses) await runCourse(course, Number(values.rounds ?? ROUNDS), values.threads ?? '2');
