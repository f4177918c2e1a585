/** From verdicts on jobs to findings: incidents that list the jobs they hit. */
import { createHash } from 'node:crypto';
import { type AffectedJob, type Finding, type Moment, STATUSES, type Step } from '../model/analysis.js';
import { BOUNDARY_NAMES, type Boundary } from '../model/boundaries.js';
import type { Judged } from '../rules/run-rules.js';
import { judgeDuplicate } from '../story/duplicates.js';
import { atLeastText, durationText } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import { endOf, type Story } from '../story/story.js';

/** Consequences told in a finding; the stories have the rest. */
const MAX_CONSEQUENCES = 20;

/** A verdict on one job with its story. Large; made again for the few that lead a finding. */
export interface JudgedJob extends Judged {
  readonly story: Story;
}

/** What grouping needs of a judged job: small, because there is one for each affected job. */
export interface Case {
  /** Number of the job among the suspects, and of the verdict among its verdicts. */
  readonly suspect: number;
  readonly nth: number;
  /** Jobs with the same kind may share a finding. */
  readonly kind: string;
  /** They do, whenever it was. */
  readonly isGrouped?: true;
  readonly fromMs: number;
  readonly toMs: number;
  readonly key: string;
  /** Id of the worker that the verdict is about. */
  readonly worker: string | undefined;
  readonly affected: AffectedJob;
  /** Size of the change that would have avoided it, ms. */
  readonly remedyMs?: number;
}

export function toCase(judged: JudgedJob, suspect: number, nth: number, scene: Scene): Case {
  const { verdict, rule, story } = judged;
  const { boundary, cause, status, witness } = verdict;
  return {
    suspect,
    nth,
    kind: JSON.stringify([rule.name, boundary, cause, status, verdict.run?.worker?.id, story.queue, verdict.group]),
    ...(verdict.group === undefined ? {} : { isGrouped: true }),
    fromMs: startMs(witness),
    toMs: endMs(witness),
    key: `${story.queue ?? ''}\u0000${story.job}`,
    worker: verdict.run?.worker?.id,
    affected: affectedJob(judged, scene),
    ...(verdict.remedy === undefined ? {} : { remedyMs: verdict.remedy.atLeastMs }),
  };
}

/**
 * Jobs with one boundary, cause, status and worker whose windows touch within a lock's life, or of one group, share a finding. Groups are in the
 * order of their first job, jobs in the order of time.
 */
export function groupCases(cases: readonly Case[], scene: Scene): Case[][] {
  const timed = [...cases].sort((a, b) => a.fromMs - b.fromMs || compareText(a.key, b.key));
  const open = new Map<string, { jobs: Case[]; until: number }>();
  const groups: Case[][] = [];
  for (const one of timed) {
    const group = open.get(one.kind);
    if (group && (one.isGrouped || one.fromMs <= group.until + scene.lockDuration.value)) {
      group.jobs.push(one);
      group.until = Math.max(group.until, one.toMs);
    } else {
      const jobs = [one];
      groups.push(jobs);
      open.set(one.kind, { jobs, until: one.toMs });
    }
  }
  return groups;
}

const moments = (witness: readonly Step[]): number[] =>
  witness.flatMap((step) => (step.moment.redisMs ? [step.moment.redisMs[0]] : []));
const startMs = (witness: readonly Step[]): number => Math.min(...moments(witness), Number.MAX_SAFE_INTEGER);
const endMs = (witness: readonly Step[]): number => Math.max(...moments(witness), 0);
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function compareFindings(a: Finding, b: Finding): number {
  return (
    STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) ||
    BOUNDARY_NAMES.indexOf(a.boundary) - BOUNDARY_NAMES.indexOf(b.boundary) ||
    startMs(a.witness) - startMs(b.witness) ||
    compareText(a.id, b.id)
  );
}

/** The finding of a group; the witness is its first job's. */
export function toFinding(first: JudgedJob, group: readonly Case[]): Finding {
  const { verdict, rule, story } = first;
  const affected = group.map((one) => one.affected);
  const window = windowOf(verdict.witness, group);
  return {
    id: findingId(verdict.boundary, story.queue, story.job),
    rule: rule.name,
    boundary: verdict.boundary,
    cause: verdict.cause,
    status: verdict.status,
    summary: summaryOf(first, affected),
    ...(window ? { window } : {}),
    ...(verdict.run?.worker ? { worker: verdict.run.worker.id } : {}),
    jobs: affected,
    witness: inOrder(verdict.witness),
    consequences: first.consequences.slice(0, MAX_CONSEQUENCES),
    hypotheses: [...verdict.hypotheses],
    advice: [...verdict.advice],
    ...counterfactualOf(verdict, group),
    wouldDecide: [...verdict.wouldDecide],
  };
}

/** With numbers over all jobs of the finding, where the verdicts have some. */
function counterfactualOf(
  { remedy, counterfactual }: JudgedJob['verdict'],
  group: readonly Case[],
): { counterfactual: string } | Record<string, never> {
  const sizes = group.flatMap(({ remedyMs }) => remedyMs ?? []);
  if (remedy !== undefined && sizes.length > 0) {
    const share = group.length === 1 ? 'the job' : `${sizes.length} of ${group.length} jobs`;
    return { counterfactual: remedy.tell(atLeastText(Math.max(...sizes)), share) };
  }
  return counterfactual === undefined ? {} : { counterfactual };
}

/** In the order of time as far as it is known; a step without a time stays after the one before it. */
function inOrder(witness: readonly Step[]): Step[] {
  let last = Number.NEGATIVE_INFINITY;
  return witness
    .map((step) => {
      const { redisMs } = step.moment;
      if (redisMs) last = (redisMs[0] + redisMs[1]) / 2;
      return { step, at: last };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ step }) => step);
}

/** Safe in a file name, an anchor and a URL; ids that are not become a hash. */
export function findingId(boundary: string, queue: string | undefined, job: string): string {
  const safe = (text: string): string =>
    /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${boundary}.${safe(queue ?? 'unknown')}.${safe(job)}`;
}

function affectedJob({ story, verdict }: JudgedJob, scene: Scene): AffectedJob {
  const duplicate = judgeDuplicate(story, scene);
  const activations = story.runs.filter((run) => run.activation).length + story.bareActivations.length;
  // Evidence that names no run of the job says nothing about how often it ran; a stall or a lost lock says that there is
  // more to the job than one run, wherever it was told.
  const unseen = story.runs.length === 0 && !neverRan(story, verdict);
  const oneSided = duplicate.duplicate === 'none' && story.runs.length < 2 && hintsAtMore(story, verdict);
  return {
    ...(story.queue === undefined ? {} : { queue: story.queue }),
    id: story.job,
    ...(unseen ? {} : { executions: story.runs.length }),
    ...(activations > 0 ? { activations } : {}),
    ...duplicate,
    ...(unseen || oneSided ? { duplicate: 'unknown' as const } : {}),
    ...(verdict.boundary === 'none' ? { duplicate: 'none' as const } : {}),
  };
}

/** The newest hash of the job knows of no activation. */
const neverRan = (story: Story, { boundary }: JudgedJob['verdict']): boolean => {
  const facts = story.record.facts.findLast((one) => one.hasHash);
  return boundary === 'pickup' && facts !== undefined && facts.processedOn === undefined && !facts.attemptsStarted;
};

/** The sweep put the job back, or a finish found no lock: another run may stand in evidence that is not here. */
function hintsAtMore(story: Story, verdict: JudgedJob['verdict']): boolean {
  if (['none', 'step-transition', 'progress-to-ack', 'manual-requeue'].includes(verdict.boundary)) return false;
  const stalls = story.record.events.filter((event) => event.clock === 'redis' && event.kind === 'stalled').length;
  const counted = Math.max(0, ...story.record.facts.map((facts) => facts.stalledCounter ?? 0));
  const stalled = Math.max(stalls, counted) > 0 || story.record.events.some((event) => event.kind === 'stalled-notice');
  const seen = story.runs.some((run) => run.activation !== undefined);
  // What followed each stall is in the stream: another run, or an activation that ran no handler.
  const activations = story.runs.filter((run) => run.activation).length + story.bareActivations.length;
  if (stalls > 0 && counted <= stalls && activations > stalls) return false;
  const lostLock = story.runs.some(
    (run) =>
      run.lockErrors.some((error) => error.kind === 'lock-missing' || error.kind === 'lock-mismatch') ||
      (run.renewalErrors.length > 0 && endOf(run) === undefined),
  );
  return stalled || (lostLock && !seen);
}

/** From the first job's first record to the last record of any of the group's witnesses. */
function windowOf(witness: readonly Step[], group: readonly Case[]): { from: Moment; to: Moment } | undefined {
  const timed = inOrder(witness.filter((step) => step.moment.redisMs !== undefined));
  const from = timed[0]?.moment;
  const last = timed.at(-1)?.moment;
  if (from === undefined || last === undefined) return undefined;
  const toMs = group.reduce((latest, one) => Math.max(latest, one.toMs), 0);
  const to: Moment =
    (last.redisMs?.[0] ?? 0) >= toMs ? last : { precision: 'none', clock: 'redis', redisMs: [toMs, toMs] };
  return { from, to };
}

const DUPLICATE_WORDS = {
  overlapping: 'two runs worked on it at once',
  sequential: 'it ran twice, one run after the other',
  possible: 'the work may have been done twice',
  unknown: 'whether the work was done twice cannot be told',
  none: 'the work was not done twice',
} as const;

/** Where no run was repeated and the work may have been done more than once all the same. */
const BESIDE_RUNS: Partial<Record<Boundary, string>> = {
  enqueue: 'no run of a job was repeated',
  'post-ack': 'the job itself ran once',
};

function summaryOf({ story, verdict }: JudgedJob, affected: readonly AffectedJob[]): string {
  const [job] = affected;
  const more = affected.length > 1 ? ` (and ${affected.length - 1} more in the same way)` : '';
  const where = story.queue === undefined ? '' : ` of queue ${story.queue}`;
  const beside = job?.duplicate === 'none' ? BESIDE_RUNS[verdict.boundary] : undefined;
  const words = job ? (beside ?? DUPLICATE_WORDS[job.duplicate]) : '';
  const overlap = job?.overlapMs !== undefined ? ` for ${durationText(job.overlapMs)}` : '';
  return `Job ${story.job}${where}${more} ${verdict.says}. ${words.charAt(0).toUpperCase()}${words.slice(1)}${overlap}.`;
}
