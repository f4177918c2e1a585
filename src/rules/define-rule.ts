/** A rule: one judgement about the story of one job. */
import type { Hypothesis, Moment, Ref, Status, Step, StepKind } from '../model/analysis.js';
import type { Boundary, Cause } from '../model/boundaries.js';
import type { EvidenceClass } from '../model/evidence-classes.js';
import type { StoredEvent } from '../model/stored.js';
import { momentOf, refOf } from '../story/moments.js';
import type { Scene } from '../story/scene.js';
import type { Run, Story } from '../story/story.js';

export interface Verdict {
  /** The run that failed; absent when the failure is no run's. The earliest failed run leads. */
  readonly run?: Run;
  readonly boundary: Boundary;
  readonly cause: Cause;
  readonly status: Status;
  /** One clause for the summary, after "Job 5 of queue reports": what failed, past tense, system as actor. */
  readonly says: string;
  /** The smallest ordered set of records that shows the claim. */
  readonly witness: readonly Step[];
  readonly hypotheses: readonly Hypothesis[];
  readonly advice: readonly string[];
  readonly wouldDecide: readonly string[];
  readonly counterfactual?: string;
  /** The smallest change that would have avoided it, where its size can be told; it goes before `counterfactual`. */
  readonly remedy?: Remedy;
  /** Jobs of one group share a finding, however far they lie apart: one key, one pair of schedulers, one set of listeners. */
  readonly group?: string;
  /** A later act of someone: a finding of its own beside the leading one. */
  readonly ownFinding?: true;
}

export interface Remedy {
  /** At least so long, ms; of a finding the longest of its jobs counts. */
  readonly atLeastMs: number;
  /** The sentence with its premise. `time`: as a text, rounded up; `share`: "the job", "17 of 17 jobs". */
  readonly tell: (time: string, share: string) => string;
}

export interface Rule {
  readonly name: string;
  /** Without any of these classes of evidence the rule has nothing to say: it could not run, and the analysis says so. */
  readonly needs: readonly EvidenceClass[];
  /** SQL predicate over the job summary (see model/summary.ts): jobs for which it does not hold are never judged. */
  readonly wakes: string;
  /** Its verdicts name one of these. */
  readonly causes: readonly Cause[];
  /** Causes that leave much the same records; its verdicts tell what speaks for and against them. */
  readonly rivals: readonly Cause[];
  /** What looks the same and is none, for `explain`. */
  readonly falsePositives: string;
  /** Undefined: this rule has nothing to say about the job. */
  readonly judge: (story: Story, scene: Scene) => Verdict | undefined;
}

/** Gives a rule its type. */
export const defineRule = (rule: Rule): Rule => rule;

/** One record of a witness. */
export function step(event: StoredEvent, kind: StepKind, text: string, scene: Scene): Step {
  const worker = scene.workerOf(event)?.id;
  return { text, moment: momentOf(event, scene), kind, ref: refOf(event), ...(worker === undefined ? {} : { worker }) };
}

/** A record that a rule cites by place only, such as the line before a silence. */
export const stepAt = (ref: Ref, moment: Moment, kind: StepKind, text: string, worker?: string): Step => ({
  text,
  moment,
  kind,
  ref,
  ...(worker === undefined ? {} : { worker }),
});

/** Drops what is not there and what is told twice. */
export function steps(...candidates: readonly (Step | undefined)[]): Step[] {
  const seen = new Set<string>();
  return candidates.filter((candidate): candidate is Step => {
    if (candidate === undefined) return false;
    const key = JSON.stringify(candidate.ref);
    return seen.has(key) ? false : Boolean(seen.add(key));
  });
}

/** A rival cause with the records for and against it. */
export const rival = (
  cause: Cause,
  forIt: readonly (StoredEvent | undefined)[],
  against: readonly (StoredEvent | undefined)[],
  missing: readonly string[] = [],
): Hypothesis => {
  const refs = (events: readonly (StoredEvent | undefined)[]): Ref[] =>
    events.filter((event) => event !== undefined).map(refOf);
  return { cause, for: refs(forIt), against: refs(against), missing: [...missing] };
};
