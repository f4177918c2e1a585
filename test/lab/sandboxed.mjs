/**
 * A processor in a child process of the worker, as BullMQ calls it: its CPU work blocks itself only, and its lines come out
 * of the worker's stdout without a mark of their own.
 */
import { STEPS } from './steps.mjs';
import { planOf, realNow, say } from './voice.mjs';

export default async function processor(job) {
  const startedAt = realNow();
  const about = { id: job.id, name: job.name, attempt: job.attemptsMade + 1 };
  say('start', about);
  const hands = { job, say: (moment, more) => say(moment, { ...about, ...more }), tell: () => {} };
  for (const step of planOf(job)) await STEPS[step.do](step, hands);
  say('returned', { ...about, ms: realNow() - startedAt });
  return { ok: true };
}
