/**
 * A closing worker fetched the job and never ran its handler.
 *
 * Redis had made the job active; the worker was on its way out and let it go. A sweep gives it to another worker a lock's life
 * later: late, and not twice.
 */
import { durationText } from '../story/moments.js';
import { versionOf } from '../story/version-of.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { FETCH_AT_CLOSE, forVersion } from './versions.js';

export default defineRule({
  name: 'dropped-at-close',
  needs: ['events-stream'],
  wakes: 'stalls > 0 OR in_active > 0',
  causes: ['dropped-at-close'],
  rivals: ['process-killed'],
  falsePositives: 'A worker whose log does not tell its starts may have run the handler without a line of it.',
  judge(story, scene) {
    const dropped = story.bareActivations.find((bare) => bare.why === 'dropped-at-close');
    if (dropped?.worker === undefined || dropped.closing === undefined) return undefined;
    const { activation, stalled, worker, closing } = dropped;
    const next = story.runs.find((run) => (run.activation?.t ?? 0) > (activation.t ?? 0));
    const named = scene.workerOf(activation) === worker;
    return {
      boundary: 'worker-exit',
      cause: 'dropped-at-close',
      status: named ? 'shown' : 'likely',
      says: `was fetched by ${worker.id} while that worker was closing, and its handler never ran there${
        next?.worker ? `; ${next.worker.id} ran it` : ''
      }`,
      witness: steps(
        step(closing, 'same-clock', `Worker ${worker.id} was closing.`, scene),
        step(
          activation,
          'redis-order',
          `Redis made job ${story.job} active${named ? ` for worker ${worker.id}` : ''}; no log has a line of that run.`,
          scene,
        ),
        stalled &&
          step(
            stalled,
            'sweep',
            `The stalled sweep found no lock on job ${story.job} and put it back to waiting.`,
            scene,
          ),
        next?.started && step(next.started, 'handoff', `Job ${story.job} was started for the first time.`, scene),
      ),
      hypotheses: [
        rival(
          'process-killed',
          [],
          [closing],
          [...(named ? [] : ['AOF or MONITOR: the token of the activation names the worker that fetched it'])],
        ),
      ],
      advice: [
        'Nothing was done twice; the job only came late. Await worker.close() without force, and let it finish before the process exits.',
        `Expect such a job to start again within about ${durationText(scene.lockDuration.value + scene.stalledInterval.value)}.`,
        ...forVersion(versionOf({ worker, queue: story.queue }, scene), FETCH_AT_CLOSE),
      ],
      wouldDecide: named ? [] : ['AOF or MONITOR: the token of the activation names the worker that fetched it.'],
      counterfactual: `Had the worker stopped fetching before it closed, the job would have gone to another worker at once${
        next?.activation ? `, ${durationText((next.activation.t ?? 0) - (activation.t ?? 0))} earlier` : ''
      }.`,
    };
  },
});
