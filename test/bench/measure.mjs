/** Runs programs in turn, several rounds, and keeps what each took: user CPU seconds, wall seconds, peak memory. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** GNU time tells all three of any program; without it only the wall time is known. */
const GNU_TIME = ['/usr/bin/time', '/usr/local/bin/gtime', '/opt/homebrew/bin/gtime'].find((file) =>
  fs.existsSync(file),
);

/** Whether a program is there to be compared with. */
export function isInstalled(command) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return path.isAbsolute(command) || folders.some((folder) => fs.existsSync(path.join(folder, command)));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function runOnce({ name, command, args = [], env = {} }) {
  const figures = path.join(os.tmpdir(), `bullmortem-bench-${process.pid}.txt`);
  const timed = GNU_TIME ? [GNU_TIME, '-f', '%U %M', '-o', figures, command, ...args] : [command, ...args];
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(timed[0], timed.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const wall = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  if (!GNU_TIME) return { wall };
  const [user, kilobytes] = fs.readFileSync(figures, 'utf8').trim().split(' ').map(Number);
  fs.rmSync(figures);
  return { wall, user, megabytes: kilobytes / 1024 };
}

/**
 * Medians of each contestant. They take turns, so that what else the machine does meets all of them.
 */
export function measure(contestants, rounds) {
  const runs = contestants.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, one] of contestants.entries()) runs[i].push(runOnce(one));
  }
  return contestants.map(({ name }, i) => ({
    name,
    wall: median(runs[i].map((run) => run.wall)),
    ...(GNU_TIME && {
      user: median(runs[i].map((run) => run.user)),
      megabytes: Math.max(...runs[i].map((run) => run.megabytes)),
    }),
  }));
}
