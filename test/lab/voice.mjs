/**
 * The two voices of a process of the lab. `say` writes the log that becomes evidence, in the words and format of the
 * application. `tell` writes to a descriptor of its own, synchronously, what really happened; the truth is made of that and
 * the analyzer never sees it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { anonymizeStacks } from './anonymous.mjs';
import { APPLICATIONS } from './applications.mjs';
import { LOG_FORMATS } from './log-formats.mjs';
import { WORDS } from './words.mjs';

export const config = JSON.parse(process.env.LAB_WORKER ?? '{}');
export const application = APPLICATIONS[config.words];
export const words = WORDS[config.words];

/** The machine's clock, whatever the process believes. */
export const realNow = Date.now;

/** A host whose clock is wrong: everything in this process believes it, BullMQ too. */
function skewClock(skewMs) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(realNow() + skewMs);
      else super(...args);
    }
    static now() {
      return realNow() + skewMs;
    }
  };
}
if (config.skewMs) skewClock(config.skewMs);
anonymizeStacks();

/** A sandboxed child has its IPC channel on descriptor 3, and inherits the worker's voice as 4. */
export const inSandbox = process.send !== undefined;
const TOLD = inSandbox ? 4 : 3;

export const tell = (k, about = {}) =>
  fs.writeSync(TOLD, `${JSON.stringify({ t: realNow(), worker: config.name, pid: process.pid, k, ...about })}\n`);

const format = LOG_FORMATS[config.log];
const identity = { service: application.service, host: config.host, pid: application.shownPid ?? process.pid };

export function say(moment, about = {}) {
  const said = words[moment]?.(about);
  if (said === undefined) return;
  const { level = 'info', msg, fields = {}, err } = said;
  fs.writeSync(1, `${format({ level, msg, fields, err, at: new Date() }, identity)}\n`);
}

/** Later runs of a job follow the last plan. `attemptsStarted` counts the activations, whoever ran them. */
export function planOf(job) {
  const runs = JSON.parse(fs.readFileSync(path.join(config.plans, job.data.ref), 'utf8'));
  return runs[Math.min(job.attemptsStarted, runs.length) - 1] ?? [];
}
