/**
 * A job id was used again once its first job was gone, and what was done under it before was done again.
 *
 * Facts: while a job is kept, an add under its id changes nothing (`duplicated`); once retention or somebody removed it, the same
 * add makes a new job. A producer that repeats a request is refused in the first case only. Many teams want just that (one
 * refresh at a time for each customer), so this is no more than possible, and where a queue or an id does it again and again it is
 * taken for the way it was built. Numbers are BullMQ's own ids: no producer can choose them.
 */
import type { StoredEvent } from '../model/stored.js';
import { isChosenId, lifeOf, usesIdsAgain } from '../story/lives.js';
import { durationText } from '../story/moments.js';
import type { Story } from '../story/story.js';
import { defineRule, rival, step, steps } from './define-rule.js';
import { whoRan } from './words.js';

export default defineRule({
  name: 'id-reused',
  needs: ['events-stream'],
  wakes: 'queue_reused_ids > 0 AND queue_reused_ids < 4',
  causes: ['id-reused'],
  rivals: ['completed-job-retried'],
  falsePositives: 'A retry of the same job; ids that begin anew after a flush.',
  judge(story, scene) {
    const [birth] = story.rebirths;
    if (birth?.t === undefined || !isChosenId(story.job) || usesIdsAgain(story)) return undefined;
    const before = story.runs.findLast((run) => lifeOf(run, story, scene) === 0 && run.completed !== undefined);
    const again = story.runs.find((run) => lifeOf(run, story, scene) > 0 && run.activation !== undefined);
    if (before?.completed?.t === undefined || again?.activation === undefined) return undefined;
    const first = firstAdd(story, birth);
    return {
      ownFinding: true,
      boundary: 'enqueue',
      cause: 'id-reused',
      status: 'possible',
      says: `had completed and was removed; ${durationText(birth.t - before.completed.t)} later a job was added under the same id, and ${whoRan(again)} did its work: two jobs of one id, not two runs of one job`,
      witness: steps(
        first && step(first, 'redis-order', `Redis added job ${story.job}.`, scene),
        step(before.completed, 'redis-order', `Redis recorded job ${story.job} as completed.`, scene),
        step(birth, 'redis-order', `Redis added job ${story.job} again: the first one was no longer kept.`, scene),
        step(again.activation, 'handoff', `Redis made the second job ${story.job} active.`, scene),
        again.completed && step(again.completed, 'redis-order', `Redis recorded it as completed.`, scene),
      ),
      hypotheses: [rival('completed-job-retried', [], [birth], [])],
      advice: [
        'Where one id stands for one piece of work, keep completed jobs for longer than a producer may repeat itself (removeOnComplete: { age }), so that its second add changes nothing.',
        'Keep the record that the work was done outside the queue, under a key that outlives the job.',
        'Where the id is to be used again, as for a refresh that must run once at a time, nothing is wrong.',
      ],
      wouldDecide: [
        'What the producer meant: the log of the process that added both, or an idempotency record of each run.',
      ],
      counterfactual: `Had the first job been kept for ${durationText(birth.t - before.completed.t)} after its end, the second add would have changed nothing, if both were meant as one.`,
    };
  },
});

const firstAdd = (story: Story, birth: StoredEvent): StoredEvent | undefined =>
  story.record.events.find(
    (event) => event.clock === 'redis' && event.kind === 'added' && (event.t ?? 0) < (birth.t ?? 0),
  );
