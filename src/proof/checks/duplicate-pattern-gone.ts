/** The question of the incident: is any job run twice after the fix, and does each leave active in time. */
import type { Duplicate, Step } from '../../model/analysis.js';
import { durationText, redisInterval } from '../../story/moments.js';
import type { Scene } from '../../story/scene.js';
import { beginOf, endOf, type Run, type Story } from '../../story/story.js';
import { conclude, defineCheck, times } from '../define-check.js';
import { createExercise, pathOf } from '../exercise.js';
import { spanOf } from '../run-span.js';
import { stepOf, Tally } from '../tally.js';
import { isOf, isSameQueue, type Target } from '../target.js';

const DOUBLED: readonly Duplicate[] = ['overlapping', 'sequential', 'possible'];
const isDoubled = ({ finding }: Target): boolean => finding.jobs.some(({ duplicate }) => DOUBLED.includes(duplicate));

/** A run that had not left active when the evidence ended, or when the sweep took it. */
interface Hold {
  readonly ms: number;
  readonly step: Step | undefined;
}
const MOST_HOLDS = 1000;

export default defineCheck({
  name: 'duplicate-pattern-gone',
  isAskedBy: isDoubled,
  watch({ after, targets }) {
    const mine = targets.filter(isDoubled);
    const walked = new Tally();
    const against = new Tally();
    const doubtful = new Tally();
    const exercises = mine.map((target) => ({ target, exercise: createExercise(target) }));
    const holds: Hold[] = [];
    for (const { jobs, witness } of after.findings)
      for (const { queue, duplicate } of jobs) {
        if (mine.length > 0 && !mine.some((target) => isSameQueue(target.queue, queue))) continue;
        if (duplicate === 'overlapping' || duplicate === 'sequential') against.add(witness);
        else if (duplicate === 'possible') doubtful.add(witness);
      }
    let longestMs = 0;
    let intervalMs = 0;
    return {
      see(story, scene) {
        if (mine.length > 0 && !mine.some(({ queue }) => isSameQueue(queue, story.queue))) return;
        intervalMs = scene.stalledInterval.value;
        longestMs = Math.max(longestMs, scene.longestRunMs);
        for (const run of story.runs) {
          longestMs = Math.max(longestMs, run.completed ? (spanOf(run, scene)?.ms ?? 0) : 0);
          const hold = holdOf(run, story, scene);
          if (hold !== undefined && holds.length < MOST_HOLDS) holds.push(hold);
        }
        for (const { target, exercise } of exercises)
          if (isOf(target, story)) for (const records of exercise(story, scene)) walked.add(records);
      },
      answer(isNeeded) {
        const limitMs = 2 * intervalMs + longestMs;
        const stuck = holds.filter(({ ms }) => ms > limitMs);
        const doubled = against.count;
        for (const { step } of stuck) against.add([step]);
        const limit = `2 × stalledInterval and the longest run (${durationText(limitMs)})`;
        if (against.count === 0 && doubtful.count > 0)
          return {
            outcome: 'cannot-tell',
            says: `${times(doubtful.count, 'job')} may have run twice, which this evidence does not decide`,
            exercised: walked.count,
            records: [...doubtful.steps],
          };
        const paths = [...new Set(mine.map(pathOf))].join('; ');
        return conclude(
          isNeeded,
          { against, walked },
          {
            fails: [
              doubled > 0 ? `${times(doubled, 'job')} ran twice` : '',
              stuck.length > 0 ? `${times(stuck.length, 'run')} stayed in active for longer than ${limit}` : '',
            ]
              .filter((part) => part !== '')
              .join('; '),
            holds: `no job ran twice and none stayed in active for longer than ${limit}, with the path walked ${times(walked.count, 'time')}: ${paths}`,
            notWalked: mine.length === 0 ? 'nothing was doubled before' : `the path was not walked: ${paths}`,
          },
          ['A recording in which the same load meets the same trouble'],
        );
      },
    };
  },
});

function holdOf(run: Run, story: Story, scene: Scene): Hold | undefined {
  const begin = beginOf(run);
  const [since] = redisInterval(begin, scene);
  const left = run.stall?.recorded;
  const isOpen =
    endOf(run) === undefined && run.moved === undefined && left === undefined && story.outcome === 'active';
  if (!Number.isFinite(since) || (!isOpen && left?.t === undefined)) return undefined;
  const ms = (left?.t ?? scene.endMs) - since;
  return { ms, step: stepOf(begin, 'state', `Job ${story.job} began and held active for ${durationText(ms)}.`, scene) };
}
