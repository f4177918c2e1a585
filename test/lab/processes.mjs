/** Starts the processes of a recording, workers and others of the application, and keeps hold of them. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WRAPPERS } from './log-formats.mjs';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** Where a process writes its log: straight into the file, or through a container runtime that adds its own to each line. */
function openLog(file, wrapper, host) {
  if (wrapper === undefined) {
    const fd = fs.openSync(file, 'a');
    return { stdio: fd, attach: () => fs.closeSync(fd) };
  }
  const attach = (child) => {
    for (const stream of ['stdout', 'stderr']) {
      createInterface({ input: child[stream] }).on('line', (line) => {
        fs.appendFileSync(
          file,
          `${wrapper.wrap(line, stream, performance.timeOrigin + performance.now(), { host })}\n`,
        );
      });
    }
  };
  return { stdio: 'pipe', attach };
}

const tail = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').slice(-1500) : '');

/**
 * Starts a process of a program of this folder, whose log goes into `folder`, and waits until it is ready. What it tells, and
 * its end, go into the journal. The environment holds nothing of ours, and the clock's zone is UTC.
 */
export async function startProcess({ program, config, log, folder, journal }) {
  const { name, host, skewMs } = config;
  const logFile = path.join(folder, `${name}.log`);
  fs.mkdirSync(folder, { recursive: true });
  const out = openLog(logFile, WRAPPERS[log], host);
  const inside = { ...config, log: WRAPPERS[log]?.inside ?? log };
  const child = spawn(process.execPath, [path.join(HERE, program)], {
    env: { TZ: 'UTC', NODE_ENV: 'production', LAB_WORKER: JSON.stringify(inside) },
    stdio: ['pipe', out.stdio, out.stdio, 'pipe'],
  });
  out.attach(child);
  // An order to a process that is gone is lost, as a request to a dead server is.
  child.stdin.on('error', () => {});
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  createInterface({ input: child.stdio[3] }).on('line', (line) => journal.write(JSON.parse(line)));

  let exitedAt;
  child.once('exit', () => {
    exitedAt = Date.now();
    process.off('exit', killWithUs);
  });
  const exited = new Promise((resolve) => {
    // After `exit`, when what the process still told before it died has been read from the pipe.
    child.once('close', (code, sig) => {
      journal.write({ t: exitedAt, harness: true, k: 'exit', worker: name, pid: child.pid, code, sig });
      resolve();
    });
  });

  await Promise.race([
    journal.when(`${name} to be ready`, (r) => r.k === 'ready' && r.pid === child.pid),
    exited.then(() => {
      throw new Error(`${name} ended before it was ready:\n${tail(logFile)}`);
    }),
  ]);

  return {
    name,
    host,
    skewMs,
    exited,
    signal(signal) {
      journal.note(signal.toLowerCase(), { worker: name });
      child.kill(signal);
    },
    /** Has the process do something it offers: see `obey` in orders.mjs. */
    order: (order) => child.stdin.write(`${JSON.stringify(order)}\n`),
    /** Takes the process away without a word: the recording is over. */
    remove: () => child.kill('SIGKILL'),
  };
}
