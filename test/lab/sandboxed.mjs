/**
 * A processor in a child process of the worker, as BullMQ calls it: its CPU work blocks itself only, and its lines come out
 * of the worker's stdout without a mark of their own.
 */
import { STEPS } from './steps.mjs';
import { planOf, realNow, say, tell } from './voice.mjs';

export default async function processor(job, token) {
  const startedAt = realNow();
  const about = { id: job.id, name: job.name, queue: job.queueName, attempt: job.attemptsMade + 1 };
  const hands = {
    job,
    token,
    say: (moment, more) => say(moment, { ...about, ...more }),
    tell: (k, more) => tell(k, { job: job.id, token, child: true, ...more }),
  };
  hands.tell('start', { ats: job.attemptsStarted, atm: job.attemptsMade });
  hands.say('start');
  hands.say('work');
  try {
    for (const step of planOf(job)) await STEPS[step.do](step, hands);
  } catch (err) {
    hands.tell('throw', { err: err.name, message: err.message });
    hands.say('threw', { err });
    throw err;
  }
  hands.say('returned', { ms: realNow() - startedAt });
  hands.tell('return');
  return { ok: true };
}
