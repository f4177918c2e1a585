/** From verdicts on jobs to findings: incidents that list the jobs they hit. */
import { createHash } from 'node:crypto';
import { type AffectedJob, type Finding, type Moment, STATUSES, type Step } from '../model/analysis.js';
import { BOUNDARY_NAMES } from '../model/boundaries.js';
import type { Judged } from '../rules/run-rules.js';
import { judgeDuplicate } from '../story/duplicates.js';
import { durationText } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';

export interface JudgedJob extends Judged {
  readonly story: Story;
}

const MAX_CONSEQUENCES = 20;

/**
 * Jobs with one boundary, cause, status and worker whose windows touch within a lock's life share a finding; the witness is
 * the first job's. Total order: status, boundary, first time, id.
 */
export function groupFindings(judged: readonly JudgedJob[], scene: Scene): Finding[] {
  const timed = judged
    .map((job) => ({ job, from: startMs(job.verdict.witness) }))
    .sort((a, b) => a.from - b.from || compareText(keyOf(a.job.story), keyOf(b.job.story)));
  const open = new Map<string, { jobs: JudgedJob[]; until: number }>();
  const groups: JudgedJob[][] = [];
  for (const { job, from } of timed) {
    const { verdict, rule } = job;
    const kind = JSON.stringify([
      rule.name,
      verdict.boundary,
      verdict.cause,
      verdict.status,
      verdict.run?.worker?.id,
      job.story.queue,
    ]);
    const group = open.get(kind);
    if (group && from <= group.until + scene.lockDuration.value) {
      group.jobs.push(job);
      group.until = Math.max(group.until, endMs(verdict.witness));
    } else {
      const jobs = [job];
      groups.push(jobs);
      open.set(kind, { jobs, until: endMs(verdict.witness) });
    }
  }
  return groups.map((jobs) => toFinding(jobs, scene)).sort(compareFindings);
}

const moments = (witness: readonly Step[]): number[] =>
  witness.flatMap((step) => (step.moment.redisMs ? [step.moment.redisMs[0]] : []));
const startMs = (witness: readonly Step[]): number => Math.min(...moments(witness), Number.MAX_SAFE_INTEGER);
const endMs = (witness: readonly Step[]): number => Math.max(...moments(witness), 0);
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const keyOf = (story: Story): string => `${story.queue ?? ''}\u0000${story.job}`;

export function compareFindings(a: Finding, b: Finding): number {
  return (
    STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) ||
    BOUNDARY_NAMES.indexOf(a.boundary) - BOUNDARY_NAMES.indexOf(b.boundary) ||
    startMs(a.witness) - startMs(b.witness) ||
    compareText(a.id, b.id)
  );
}

function toFinding(jobs: readonly JudgedJob[], scene: Scene): Finding {
  const [first] = jobs;
  if (first === undefined) throw new Error('a finding has at least one job');
  const { verdict, rule, story } = first;
  const affected = jobs.map((job) => affectedJob(job, scene));
  const window = windowOf(jobs);
  return {
    id: findingId(verdict.boundary, story),
    rule: rule.name,
    boundary: verdict.boundary,
    cause: verdict.cause,
    status: verdict.status,
    summary: summaryOf(first, affected),
    ...(window ? { window } : {}),
    ...(verdict.run?.worker ? { worker: verdict.run.worker.id } : {}),
    jobs: affected,
    witness: [...verdict.witness],
    consequences: jobs.flatMap((job) => job.consequences).slice(0, MAX_CONSEQUENCES),
    hypotheses: [...verdict.hypotheses],
    advice: [...verdict.advice],
    ...(verdict.counterfactual === undefined ? {} : { counterfactual: verdict.counterfactual }),
    wouldDecide: [...verdict.wouldDecide],
  };
}

/** Safe in a file name, an anchor and a URL; ids that are not become a hash. */
function findingId(boundary: string, story: Story): string {
  const safe = (text: string): string =>
    /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${boundary}.${safe(story.queue ?? 'unknown')}.${safe(story.job)}`;
}

function affectedJob({ story, verdict }: JudgedJob, scene: Scene): AffectedJob {
  const duplicate = judgeDuplicate(story, scene);
  const activations = story.runs.filter((run) => run.activation).length + story.bareActivations.length;
  // Evidence that names no run of the job says nothing about how often it ran.
  const unseen = story.runs.length === 0;
  return {
    ...(story.queue === undefined ? {} : { queue: story.queue }),
    id: story.job,
    ...(unseen ? {} : { executions: story.runs.length }),
    ...(activations > 0 ? { activations } : {}),
    ...duplicate,
    ...(unseen ? { duplicate: 'unknown' as const } : {}),
    ...(verdict.boundary === 'none' ? { duplicate: 'none' as const } : {}),
  };
}

function windowOf(jobs: readonly JudgedJob[]): { from: Moment; to: Moment } | undefined {
  const steps = jobs
    .flatMap((job) => [...job.verdict.witness])
    .filter((step) => step.moment.redisMs !== undefined)
    .sort((a, b) => (a.moment.redisMs?.[0] ?? 0) - (b.moment.redisMs?.[0] ?? 0));
  const from = steps[0]?.moment;
  const to = steps.at(-1)?.moment;
  return from && to ? { from, to } : undefined;
}

const DUPLICATE_WORDS = {
  overlapping: 'two runs worked on it at once',
  sequential: 'it ran twice, one run after the other',
  possible: 'the work may have been done twice',
  unknown: 'whether the work was done twice cannot be told',
  none: 'the work was not done twice',
} as const;

function summaryOf({ story, verdict }: JudgedJob, affected: readonly AffectedJob[]): string {
  const [job] = affected;
  const more = affected.length > 1 ? ` (and ${affected.length - 1} more in the same way)` : '';
  const where = story.queue === undefined ? '' : ` of queue ${story.queue}`;
  const words = job ? DUPLICATE_WORDS[job.duplicate] : '';
  const overlap = job?.overlapMs !== undefined ? ` for ${durationText(job.overlapMs)}` : '';
  return `Job ${story.job}${where}${more} ${verdict.says}. ${words.charAt(0).toUpperCase()}${words.slice(1)}${overlap}.`;
}
