/**
 * One id, several lives: a job that ended and was removed leaves its id free, and the next add under it makes a new job.
 *
 * Removal by retention leaves no record, and while a job is kept an add under its id changes nothing (`duplicated`). So an
 * `added` entry behind an end is the birth of another job. A scheduler that is registered again also adds the next iteration
 * anew, before it ran: that is the same life.
 */
import type { StoredEvent } from '../model/stored.js';
import { midpoint } from './interval.js';
import { redisInterval } from './moments.js';
import type { Scene } from './scene.js';
import { beginOf, type Run, type Story } from './story.js';

/** As many ids of a queue that were used again are no accident. */
const HABIT = 4;
const COUNTER_ID = /^\d+$/;

/** The queue was built so: its producers choose the ids and use them again and again. Numbers are BullMQ's own. */
export const usesIdsAgain = ({ job, record, rebirths }: Story): boolean =>
  !COUNTER_ID.test(job) && (rebirths.length > 1 || record.summary.queue_reused_ids >= HABIT);

/** Whether a producer may have chosen the id: it is neither a number nor that of a scheduler's job. */
export const isChosenId = (job: string): boolean => !COUNTER_ID.test(job) && !/^repeat:.+:\d+$/.test(job);

/** 0 for the runs before the first of `story.rebirths`, and one more behind each. */
export function lifeOf(run: Run, story: Story, scene: Scene): number {
  if (story.rebirths.length === 0) return 0;
  const begin = midpoint(redisInterval(run.activation ?? beginOf(run), scene));
  return story.rebirths.filter((birth: StoredEvent) => (birth.t ?? 0) <= begin).length;
}
