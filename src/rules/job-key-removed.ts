/** The job hash was removed while a run held it: the finish finds no key, and nobody had completed the job before. */
import { defineRule, rival, step, steps } from './define-rule.js';
import { beginSteps, lockErrorText, whoRan } from './words.js';

export default defineRule({
  name: 'job-key-removed',
  needs: ['worker-log', 'rejected-commands'],
  wakes: 'lock_errors > 0 OR rejected_finishes > 0',
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
    return undefined;
  },
});
