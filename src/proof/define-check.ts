/** A check: one question to the stories of the recording after a fix. */
import type { Analysis, Check } from '../model/analysis.js';
import { PROOF_CHECKS, type ProofCheckName } from '../model/proof.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import type { Tally } from './tally.js';
import type { Target } from './target.js';

/** The two recordings, as far as a check may know them beside the stories. */
export interface Pair {
  readonly before: Analysis;
  readonly after: Analysis;
  readonly targets: readonly Target[];
}

export interface Answer extends Pick<Check, 'outcome' | 'says'> {
  readonly exercised?: number;
  readonly records?: Check['records'];
  readonly missing?: readonly string[];
}

/** Sees every story of the recording after the fix, in any order, and answers at the end. */
export interface Observer {
  see(story: Story, scene: Scene): void;
  /** `isNeeded`: a finding of the recording before the fix asks it. */
  answer(isNeeded: boolean): Answer;
}

export interface ProofCheck {
  readonly name: ProofCheckName;
  /** Whether a finding asks for it. */
  readonly isAskedBy: (target: Target) => boolean;
  readonly watch: (pair: Pair) => Observer;
}

/** Gives a check its type. */
export const defineCheck = (check: ProofCheck): ProofCheck => check;

export const asksOf = (name: ProofCheckName): string => PROOF_CHECKS[name];

/** The common end: anything against it fails; never walked is not proven; else it holds. */
export function conclude(
  isNeeded: boolean,
  { against, walked }: { readonly against: Tally; readonly walked: Tally },
  words: { readonly fails: string; readonly holds: string; readonly notWalked: string },
  missing: readonly string[] = [],
): Answer {
  if (against.count > 0)
    return { outcome: 'fails', says: words.fails, exercised: walked.count, records: [...against.steps] };
  if (walked.count > 0)
    return { outcome: 'holds', says: words.holds, exercised: walked.count, records: [...walked.steps] };
  return { outcome: isNeeded ? 'cannot-tell' : 'not-applicable', says: words.notWalked, exercised: 0, missing };
}

export const times = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
