/**
 * The job hash was removed while a run held it: the finish finds no key, and nobody had completed the job before.
 *
 * Or its id still stands in a list while the hash is gone: a worker is then given a job without name and data, and its finish is
 * refused. A job that retention removes leaves its list first, so a refusal beside such an answer is no coincidence.
 */
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { defineRule, rival, step, steps, type Verdict } from './define-rule.js';
import { snapshotStep } from './snapshot-step.js';
import { beginSteps, lockErrorText, whoRan } from './words.js';

export default defineRule({
  name: 'job-key-removed',
  needs: ['worker-log', 'rejected-commands'],
  wakes: 'lock_errors > 0 OR rejected_finishes > 0',
  causes: ['job-key-removed'],
  rivals: ['redis-rollback', 'writes-refused'],
  falsePositives: 'A finished job that retention removed while a stalled run still worked on it.',
  judge(story, scene) {
    for (const run of story.runs) {
      const refusal = run.lockErrors.find(
        (error) =>
          error.kind === 'key-missing' || (error.kind === 'finish-rejected' && error.data.text === 'no job key'),
      );
      // After a stall, another run may have finished the job and retention removed it: that is no loss of Redis.
      if (run.stall || refusal === undefined) continue;
      if (run.completed || run.acknowledged || story.runs.length > run.n || refusal.data.frame === 'user')
        return undefined;
      const hash = story.record.facts.some((facts) => facts.hasHash);
      if (hash) return undefined;
      const seenInRedis = story.record.facts.length > 0 || run.activation !== undefined;
      return {
        run,
        boundary: 'redis-loss',
        cause: 'job-key-removed',
        status: seenInRedis ? 'shown' : 'likely',
        says: `was removed from Redis while ${whoRan(run)} was working on it, so its end could not be recorded`,
        witness: steps(
          ...beginSteps(run, story, scene),
          story.removed && step(story.removed, 'redis-order', `Redis recorded job ${story.job} as removed.`, scene),
          step(refusal, 'lock', lockErrorText(refusal, story, run), scene),
        ),
        hypotheses: [rival('redis-rollback', [], [], ['uptime of Redis and the age of its snapshot'])],
        advice: [
          'Do not delete job keys or obliterate a queue while jobs are active; use job.remove(), which refuses locked jobs.',
          'Set maxmemory-policy to noeviction on the Redis that holds the queues.',
        ],
        wouldDecide: ['AOF or MONITOR: the command that removed the key, and its client.'],
        counterfactual: 'Had the key stayed, the same finish would have been accepted.',
      };
    }
    return leftInList(story, scene);
  },
});

const LISTED: ReadonlySet<string> = new Set(['wait', 'active', 'paused', 'prioritized', 'delayed']);

function leftInList(story: Story, scene: Scene): Verdict | undefined {
  const facts = story.record.facts.findLast((one) => one.noHashSaid);
  const state = facts?.states.find((one) => LISTED.has(one));
  const refusal = story.record.events.find((event) => event.kind === 'lock-missing' || event.kind === 'key-missing');
  if (facts === undefined || facts.hasHash || state === undefined || refusal?.data.frame === 'user') return undefined;
  const ended = story.record.events.some(({ kind }) => kind === 'completed' || kind === 'acknowledged');
  if (refusal === undefined || ended || story.record.events.some(({ kind }) => kind === 'stalled')) return undefined;
  return {
    boundary: 'redis-loss',
    cause: 'job-key-removed',
    status: 'likely',
    says: `stood in ${state} although its hash was gone, so whoever took it was given a job without name and data, and its finish was refused`,
    witness: steps(
      step(refusal, 'lock', lockErrorText(refusal, story), scene),
      snapshotStep(
        facts,
        story,
        state,
        'state',
        `Job ${story.job} stood in ${state}, and somebody who asked for its hash found none.`,
      ),
    ),
    hypotheses: [
      rival('redis-rollback', [], [], ['uptime of Redis and the age of its snapshot']),
      rival('writes-refused', [], [], ['evicted_keys and maxmemory_policy of Redis (INFO)']),
    ],
    advice: [
      'Take the id out of its list; a job without a hash can never be done.',
      'Set maxmemory-policy to noeviction on the Redis that holds the queues, and remove jobs with job.remove(), never by their key.',
    ],
    wouldDecide: ['AOF or MONITOR: the command that removed the key, and its client.'],
    counterfactual: 'Had the hash stayed, the handler would have been given its job, and the finish accepted.',
  };
}
