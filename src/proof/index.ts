/** Asks a recording made after a fix what the one before it showed. */
import type { Analysis, Check } from '../model/analysis.js';
import { PROOF_CHECKS } from '../model/proof.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import acknowledgedAfterReturn from './checks/acknowledged-after-return.js';
import activeOnceAfterRestart from './checks/active-once-after-restart.js';
import completedOnceALife from './checks/completed-once-a-life.js';
import duplicatePatternGone from './checks/duplicate-pattern-gone.js';
import longRunRenewed from './checks/long-run-renewed.js';
import stalledCallbackReadsFirst from './checks/stalled-callback-reads-first.js';
import type { ProofCheck } from './define-check.js';
import { watchFinding } from './finding-gone.js';
import { targetsOf } from './target.js';

const CHECKS: readonly ProofCheck[] = [
  duplicatePatternGone,
  longRunRenewed,
  acknowledgedAfterReturn,
  activeOnceAfterRestart,
  completedOnceALife,
  stalledCallbackReadsFirst,
];

export interface Proof {
  /** Told every story of the recording after the fix, in any order. */
  see(story: Story, scene: Scene): void;
  /** The checks: those of the findings first. `hasStories`: stories could be told, however many there were. */
  checks(hasStories: boolean): Check[];
}

export function startProof(before: Analysis, after: Analysis): Proof {
  const targets = targetsOf(before);
  const findings = targets.map((target) => watchFinding(target, after));
  const watched = CHECKS.map((check) => ({ check, observer: check.watch({ before, after, targets }) }));
  return {
    see(story, scene) {
      for (const watch of findings) watch.see(story, scene);
      for (const { observer } of watched) observer.see(story, scene);
    },
    checks: (hasStories) => [
      ...findings.map((watch) => watch.check(hasStories)),
      ...watched.map(({ check, observer }): Check => {
        const asking = targets.filter(check.isAskedBy).map(({ finding }) => finding);
        const needed = asking.length > 0;
        const answer = hasStories
          ? observer.answer(needed)
          : {
              outcome: needed ? ('cannot-tell' as const) : ('not-applicable' as const),
              says: 'an analysis does not hold the runs that this is asked of',
              missing: ['The evidence after the fix itself, or its case file'],
            };
        return {
          id: check.name,
          asks: PROOF_CHECKS[check.name],
          outcome: answer.outcome,
          says: answer.says,
          needed,
          findings: asking.map(({ id }) => id),
          before: asking.map(({ summary }) => summary),
          ...('exercised' in answer && answer.exercised !== undefined ? { exercised: answer.exercised } : {}),
          records: 'records' in answer ? [...(answer.records ?? [])] : [],
          missing: answer.outcome === 'cannot-tell' ? [...(answer.missing ?? [])] : [],
        };
      }),
    ],
  };
}
