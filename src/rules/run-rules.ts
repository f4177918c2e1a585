/** Judges one story with every rule and keeps the leading verdict. */
import type { Limit, Step } from '../model/analysis.js';
import type { Scene } from '../story/scene.js';
import type { Story } from '../story/story.js';
import { type Rule, step, steps, type Verdict } from './define-rule.js';
import { lockErrorText, workerName } from './words.js';

export interface Judged {
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** What followed from it. */
  readonly consequences: readonly Step[];
}

export interface Judgement {
  /** The leading verdict first, then findings of their own. */
  readonly judged: readonly Judged[];
  readonly limits: readonly Limit[];
}

/** A rule that throws is a limit of the analysis, never the end of it. */
export function runRules(rules: readonly Rule[], story: Story, scene: Scene): Judgement {
  const limits: Limit[] = [];
  const leading: { rule: Rule; verdict: Verdict }[] = [];
  const own: { rule: Rule; verdict: Verdict }[] = [];
  for (const rule of rules) {
    try {
      const verdict = rule.judge(story, scene);
      if (verdict) (verdict.ownFinding ? own : leading).push({ rule, verdict });
    } catch (error) {
      limits.push({
        what: `rule ${rule.name} failed`,
        detail: `on job ${story.job}: ${error instanceof Error ? error.message : String(error)}; this is a bug, please report it`,
      });
    }
  }
  const runOf = (verdict: Verdict): number => verdict.run?.n ?? Number.MAX_SAFE_INTEGER;
  const firm = leading.filter(({ verdict }) => verdict.boundary !== 'undetermined');
  // Of the earliest failed run the verdict that is more than possible leads, then the order of the rules decides;
  // "undetermined" speaks only for its own run.
  const weak = (verdict: Verdict): number => (verdict.status === 'shown' || verdict.status === 'likely' ? 0 : 1);
  const first = [...(firm.length > 0 ? firm : leading)].sort(
    (a, b) => runOf(a.verdict) - runOf(b.verdict) || weak(a.verdict) - weak(b.verdict),
  )[0];
  const undecided = leading.find(({ verdict }) => verdict.boundary === 'undetermined');
  const leader = first && undecided && runOf(undecided.verdict) < runOf(first.verdict) ? undecided : first;
  // A noise verdict beside the act of someone says nothing more.
  const isNoise = leader?.verdict.boundary === 'none' && own.length > 0;
  const judged = [...(leader && !isNoise ? [leader] : []), ...own].map(({ rule, verdict }) => ({
    rule,
    verdict,
    consequences: consequencesOf(verdict, story, scene),
  }));
  return { judged, limits };
}

function consequencesOf(verdict: Verdict, story: Story, scene: Scene): Step[] {
  const from = verdict.run?.n ?? 0;
  const cited = new Set(verdict.witness.map((one) => JSON.stringify(one.ref)));
  const later = story.runs.filter((run) => run.n > from);
  return steps(
    ...later.flatMap((run) => [
      run.stall?.recorded &&
        step(
          run.stall.recorded,
          'sweep',
          `The sweep took job ${story.job} from run ${run.n} on worker ${workerName(run)}, too.`,
          scene,
        ),
      run.lockErrors[0] &&
        step(run.lockErrors[0], 'lock', `Run ${run.n}: ${lockErrorText(run.lockErrors[0], story, run)}`, scene),
    ]),
    ...story.lateProgress
      .slice(0, 3)
      .map((event) =>
        step(
          event,
          'state',
          `Progress of job ${story.job} was recorded although no run held it: an earlier run was still writing.`,
          scene,
        ),
      ),
    story.stallVerdict &&
      step(
        story.stallVerdict,
        'state',
        `Job ${story.job} was failed for stalling too often, without running its handler.`,
        scene,
      ),
  ).filter((one) => !cited.has(JSON.stringify(one.ref)));
}
