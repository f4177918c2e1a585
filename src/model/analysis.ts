/**
 * The analysis: the one product every report is rendered from, and the file other programs rely on.
 *
 * Absent means not known. Nothing here is invented: a time that a record does not carry is absent, a claim without a
 * reference cannot be built. The package ships this schema as JSON Schema (`schema/analysis-1.json`).
 */
import { z } from 'zod';
import { BOUNDARY_NAMES, CAUSE_NAMES } from './boundaries.js';
import { PRECISIONS } from './event.js';
import { EVIDENCE_CLASSES } from './evidence-classes.js';
import { PROOF_OUTCOMES } from './proof.js';
import { recordsAuditSchema } from './records-audit.js';
import { refSchema } from './ref.js';

export const ANALYSIS_SCHEMA = 'bullmortem/analysis/1';

const count = z.int().nonnegative();
/** Milliseconds; a time lies within what a JavaScript Date reaches. */
const ms = z.number().min(-8.64e15).max(8.64e15);

export { refSchema };

/** A time as its record told it (`at`, ISO 8601 UTC), whose clock it is, and where it lies on Redis' clock (ms, bounds). */
export const momentSchema = z.strictObject({
  at: z.string().optional(),
  precision: z.enum(PRECISIONS),
  clock: z.string(),
  redisMs: z.tuple([ms, ms]).optional(),
});

export const STEP_KINDS = [
  'same-clock',
  'redis-order',
  'lock',
  'attempt',
  'sweep',
  'handoff',
  'state',
  'silence',
] as const;

/** One record of a witness: what it says and where it stands. */
export const stepSchema = z.strictObject({
  text: z.string(),
  moment: momentSchema,
  kind: z.enum(STEP_KINDS),
  ref: refSchema,
  worker: z.string().optional(),
});

export const boundarySchema = z.enum(BOUNDARY_NAMES);
export const causeSchema = z.enum(CAUSE_NAMES);
export const STATUSES = ['shown', 'likely', 'possible', 'cannot-tell'] as const;
export const DUPLICATES = ['none', 'sequential', 'overlapping', 'possible', 'unknown'] as const;

export const settingSchema = z.strictObject({
  name: z.string(),
  value: z.union([z.number(), z.string()]),
  basis: z.enum(['evidence', 'given', 'assumed']),
  scope: z.string(),
  refs: z.array(refSchema),
});

export const damageSchema = z.strictObject({
  what: z.string(),
  line: z.int().positive().optional(),
  offset: count.optional(),
});

export const sourceSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  sha256: z.string().optional(),
  bytes: count,
  kind: z.string(),
  format: z.string(),
  reason: z.string(),
  records: count,
  understood: count,
  events: count,
  from: z.string().optional(),
  to: z.string().optional(),
  /** How it is packed, outermost first: a file in an archive is a source, called `logs.zip!/worker-1.log`. */
  packing: z
    .array(
      z.strictObject({
        kind: z.enum(['gzip', 'zstd', 'tar', 'zip']),
        entry: z.string().optional(),
        nth: z.int().positive().optional(),
      }),
    )
    .optional(),
  damage: z.array(damageSchema),
});

export const coverageSchema = z.strictObject({
  class: z.enum(EVIDENCE_CLASSES),
  source: z.string(),
  worker: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  gaps: z.array(z.strictObject({ from: z.string(), to: z.string(), what: z.string() })),
});

/** Events that several sources tell: they count once. */
export const routeSchema = z.strictObject({ sources: z.array(z.string()).min(2), events: count });

export const clockSchema = z.strictObject({
  worker: z.string(),
  /** Worker clock − Redis clock, ms: [low, high]. */
  offsetMs: z.tuple([ms, ms]),
  pairs: count,
  tightest: z.strictObject({ low: refSchema.optional(), high: refSchema.optional() }).optional(),
  basis: z.enum(['pairs', 'assumed']),
  /** The clock was set between two records; on each side it has an offset of its own. `offsetMs` spans all of them. */
  steps: z
    .array(z.strictObject({ fromMs: z.tuple([ms, ms]), toMs: z.tuple([ms, ms]), after: refSchema, before: refSchema }))
    .optional(),
  /** Two pairs that no offset fits, by less than a step: one of the records is not what it seems. */
  contradiction: z.strictObject({ low: refSchema, high: refSchema, byMs: ms }).optional(),
});

export const workerSchema = z.strictObject({
  id: z.string(),
  host: z.string().optional(),
  pid: z.int().optional(),
  pod: z.string().optional(),
  name: z.string().optional(),
  sources: z.array(z.string()),
  tokenPrefixes: z.array(z.string()),
  queues: z.array(z.string()),
  firstSeen: momentSchema.optional(),
  lastSeen: momentSchema.optional(),
  ended: z.enum(['closed', 'killed', 'exited', 'unknown']).optional(),
  /**
   * What AOF or MONITOR show of its locks: how many it took, how often it renewed them (ms between two renewals of one lock, from
   * taking it to the first), and how many it held for most of their life without any.
   */
  renewals: z
    .strictObject({ locks: count, renewals: count, medianMs: ms.optional(), maxMs: ms.optional(), unrenewed: count })
    .optional(),
});

/** A worker of a queue came or went, as far as its records tell; `live`: how many were alive right after it, at least and at most. */
export const liveWorkerSchema = z.strictObject({
  queue: z.string().optional(),
  worker: z.string(),
  change: z.enum(['came', 'first-seen', 'last-seen', 'went']),
  moment: momentSchema,
  live: z.tuple([count, count]),
  ref: refSchema,
});

/** Was the queue scaled from one worker to several just before its first lost lock? Numbers of live workers: at least, at most. */
export const scalingSchema = z.strictObject({
  queue: z.string().optional(),
  /** Id of the finding of that loss. */
  finding: z.string(),
  verdict: z.enum(['scaled', 'not-scaled', 'cannot-tell']),
  withinMs: ms,
  before: z.tuple([count, count]),
  after: z.tuple([count, count]),
  /** First records of the workers that came in that time. */
  arrivals: z.array(z.strictObject({ worker: z.string(), ref: refSchema })),
});

export const exposureSchema = z.strictObject({
  queue: z.string().optional(),
  jobName: z.string().optional(),
  worker: z.string().optional(),
  runs: count,
  runMs: z.strictObject({ p50: ms, p99: ms, max: ms }).optional(),
  returnToAckMs: z.strictObject({ p50: ms, p99: ms, max: ms }).optional(),
  renewalSlackMs: ms.optional(),
  jobsAtRisk: count.optional(),
});

export const affectedJobSchema = z.strictObject({
  queue: z.string().optional(),
  id: z.string(),
  executions: count.optional(),
  activations: count.optional(),
  duplicate: z.enum(DUPLICATES),
  overlapMs: ms.optional(),
  /** Runs of the handler that reached their end: the refund question. */
  ended: z.strictObject({ atLeast: count, atMost: count }),
  progressRegressed: z.boolean().optional(),
});

export const hypothesisSchema = z.strictObject({
  cause: causeSchema,
  for: z.array(refSchema),
  against: z.array(refSchema),
  missing: z.array(z.string()),
});

export const findingSchema = z.strictObject({
  id: z.string(),
  rule: z.string(),
  boundary: boundarySchema,
  cause: causeSchema,
  status: z.enum(STATUSES),
  summary: z.string(),
  window: z.strictObject({ from: momentSchema, to: momentSchema }).optional(),
  worker: z.string().optional(),
  jobs: z.array(affectedJobSchema).min(1),
  witness: z.array(stepSchema),
  consequences: z.array(stepSchema),
  hypotheses: z.array(hypothesisSchema),
  advice: z.array(z.string()),
  counterfactual: z.string().optional(),
  wouldDecide: z.array(z.string()),
});

export const HOW_ENDED = ['completed', 'failed', 'retried', 'moved', 'lost', 'running', 'unknown'] as const;

export const executionSchema = z.strictObject({
  n: z.int().positive(),
  worker: z.string().optional(),
  token: z.string().optional(),
  start: momentSchema,
  startRef: refSchema,
  end: momentSchema.optional(),
  endRef: refSchema.optional(),
  how: z.enum(HOW_ENDED),
  returned: momentSchema.optional(),
  acknowledged: momentSchema.optional(),
  lock: z.strictObject({
    acquired: momentSchema.optional(),
    /** The last renewal; `renewals` counts all that were seen. */
    renewed: momentSchema.optional(),
    renewals: count.optional(),
    /** The end of the life that it was given last. */
    livesUntil: momentSchema.optional(),
    expired: momentSchema.optional(),
    /** Dropped by Redis for want of memory, before its life was over. */
    evicted: momentSchema.optional(),
    released: momentSchema.optional(),
    /** By a client or script, before its life was over. */
    deleted: momentSchema.optional(),
  }),
  progress: z.array(z.strictObject({ moment: momentSchema, value: z.union([z.number(), z.string()]), ref: refSchema })),
});

export const timelineEntrySchema = z.strictObject({
  moment: momentSchema,
  kind: z.string(),
  worker: z.string().optional(),
  text: z.string(),
  ref: refSchema,
  /** Other records of the same event: the routes by which it was seen, too. */
  also: z.array(refSchema).optional(),
});

export const jobStorySchema = z.strictObject({
  queue: z.string().optional(),
  id: z.string(),
  name: z.string().optional(),
  outcome: z.string(),
  /** No token: a transcript shows that there was a lock, but not whose. */
  lockAtSnapshot: z
    .strictObject({ token: z.string().optional(), expiresAt: z.string().optional(), ref: refSchema })
    .optional(),
  /** A transcript shows an answer that there was no lock. */
  noLockAtSnapshot: z.strictObject({ ref: refSchema }).optional(),
  executions: z.array(executionSchema),
  timeline: z.array(timelineEntrySchema),
});

/** One question to Redis and what it would have answered; without an answer, why that is not known. */
export const atAnswerSchema = z.strictObject({
  question: z.string(),
  answer: z.string().optional(),
  known: z.boolean(),
  why: z.string().optional(),
  note: z.string().optional(),
  refs: z.array(refSchema),
});

/** What Redis would have answered about one job at one moment of its own clock, and how far each source reaches. */
export const atSchema = z.strictObject({
  queue: z.string().optional(),
  job: z.string(),
  moment: momentSchema,
  answers: z.array(atAnswerSchema),
  sources: z.array(z.strictObject({ source: z.string(), says: z.string() })),
});

export const limitSchema = z.strictObject({
  what: z.string(),
  detail: z.string(),
  count: count.optional(),
  source: z.string().optional(),
  ref: refSchema.optional(),
});

/** What Redis said of itself or of a queue where somebody asked: INFO, CONFIG GET, CLIENT LIST, SLOWLOG, counts. */
export const observationSchema = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** `Redis`, or a queue. */
  scope: z.string(),
  ref: refSchema,
});

/** One question to a recording made after a fix. */
export const checkSchema = z.strictObject({
  id: z.string(),
  asks: z.string(),
  outcome: z.enum(PROOF_OUTCOMES),
  says: z.string(),
  /** A finding of the recording before the fix asks it: without it the fix is not proven. */
  needed: z.boolean(),
  /** Those findings, by their ids there. */
  findings: z.array(z.string()),
  /** What the recording before the fix showed, in its own words. */
  before: z.array(z.string()),
  /** How often the recording after it walked the path in question; absent where that is not known. */
  exercised: count.optional(),
  /** Records of the recording after the fix: those against it where the check fails, else the first that speak for it. */
  records: z.array(stepSchema),
  missing: z.array(z.string()),
});

export const analysisSchema = z.strictObject({
  schema: z.literal(ANALYSIS_SCHEMA),
  tool: z.strictObject({ name: z.literal('bullmortem'), version: z.string() }),
  /** Names in it are pseudonyms (`--redact`). */
  redacted: z.literal(true).optional(),
  run: z.strictObject({ options: z.array(z.string()) }),
  settings: z.array(settingSchema),
  sources: z.array(sourceSchema),
  coverage: z.array(coverageSchema),
  routes: z.array(routeSchema).optional(),
  clocks: z.array(clockSchema),
  workers: z.array(workerSchema),
  liveWorkers: z.array(liveWorkerSchema).optional(),
  scaling: z.array(scalingSchema).optional(),
  totals: z.strictObject({
    jobs: count,
    executions: count,
    affected: count,
    overlapping: count,
    sequential: count,
    possible: count,
    events: count,
  }),
  exposure: z.array(exposureSchema),
  findings: z.array(findingSchema),
  stories: z.array(jobStorySchema),
  records: recordsAuditSchema.optional(),
  proof: z.array(checkSchema).optional(),
  observed: z.array(observationSchema).optional(),
  nextEvidence: z.array(z.strictObject({ what: z.string(), decides: z.array(z.string()) })),
  limits: z.array(limitSchema),
  at: atSchema.optional(),
});

export type { Ref } from './ref.js';
export type Moment = z.infer<typeof momentSchema>;
export type Step = z.infer<typeof stepSchema>;
export type StepKind = Step['kind'];
export type Status = (typeof STATUSES)[number];
export type Duplicate = (typeof DUPLICATES)[number];
export type Setting = z.infer<typeof settingSchema>;
export type Source = z.infer<typeof sourceSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
export type Route = z.infer<typeof routeSchema>;
export type Scaling = z.infer<typeof scalingSchema>;
export type Clock = z.infer<typeof clockSchema>;
export type Worker = z.infer<typeof workerSchema>;
export type LiveWorker = z.infer<typeof liveWorkerSchema>;
export type Exposure = z.infer<typeof exposureSchema>;
export type AffectedJob = z.infer<typeof affectedJobSchema>;
export type Hypothesis = z.infer<typeof hypothesisSchema>;
export type Finding = z.infer<typeof findingSchema>;
export type Execution = z.infer<typeof executionSchema>;
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type JobStory = z.infer<typeof jobStorySchema>;
export type AtAnswer = z.infer<typeof atAnswerSchema>;
export type At = z.infer<typeof atSchema>;
export type Observation = z.infer<typeof observationSchema>;
export type Check = z.infer<typeof checkSchema>;
export type Limit = z.infer<typeof limitSchema>;
export type Analysis = z.infer<typeof analysisSchema>;
