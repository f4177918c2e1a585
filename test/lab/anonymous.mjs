/**
 * Stack traces name the machine they were made on, and they end up in logs and, with a failed job, in Redis. Evidence shows
 * an application in /srv/app instead, which installed BullMQ under its usual name.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export const anonymous = (text) =>
  text
    .replaceAll(`${ROOT}/test/lab`, '/srv/app/src')
    .replaceAll(ROOT, '/srv/app')
    .replace(/\bbullmq-v[56]\b/g, 'bullmq');

/** Makes every stack of this process anonymous where it is made. What Node prints of a crash is not: see the recorder. */
export function anonymizeStacks() {
  Error.prepareStackTrace = (err, frames) => anonymous([String(err), ...frames.map((f) => `    at ${f}`)].join('\n'));
}
