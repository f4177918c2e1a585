import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/rules/index.js';
import { runRules } from '../../src/rules/run-rules.js';
import { buildStory } from '../../src/story/build-story.js';
import { judgeDuplicate } from '../../src/story/duplicates.js';
import { recordsOf, tell } from './history.js';
import { FAULTY, HEALTHY, type Simulated, simulate } from './simulator.js';

const RUNS = 10_000;

function judge({ history, variant }: Simulated) {
  const { record, scene } = tell(history, variant);
  const story = buildStory(record, scene);
  const { judged, limits } = runRules(RULES, story, scene);
  expect(limits).toEqual([]);
  return { verdict: judged[0]?.verdict, duplicate: judgeDuplicate(story, scene).duplicate };
}

const isFirm = (status: string | undefined): boolean => status === 'shown' || status === 'likely';

describe('simulated histories', () => {
  it(`${RUNS} without a fault: no finding at likely or above`, () => {
    const alarms: string[] = [];
    for (let seed = 0; seed < RUNS; seed++) {
      const simulated = simulate(HEALTHY, seed);
      const { verdict } = judge(simulated);
      if (isFirm(verdict?.status)) alarms.push(`${simulated.what}: ${verdict?.boundary}/${verdict?.cause}`);
    }
    expect(alarms).toEqual([]);
  });

  it(`${RUNS} with one fault: its boundary leads, and the duplicate is the true one or open`, () => {
    const wrong: string[] = [];
    for (let seed = 0; seed < RUNS; seed++) {
      const simulated = simulate(FAULTY, seed);
      const { verdict, duplicate } = judge(simulated);
      const led = verdict !== undefined && isFirm(verdict.status) && simulated.truth.includes(verdict.boundary);
      if (!led || ![simulated.duplicate, 'possible', 'unknown'].includes(duplicate))
        wrong.push(`${simulated.what}: ${verdict?.boundary}/${verdict?.cause} ${verdict?.status}, ${duplicate}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it('with one class of evidence removed: never a wrong boundary', () => {
    const wrong: string[] = [];
    const classes: readonly RegExp[] = [
      /^R /,
      /^A /,
      /^B /,
      / (?:stalled|waiting|stalled-notice)\b/,
      / progress\b/,
      / lock-m/,
    ];
    for (let seed = 0; seed < RUNS / 2; seed++) {
      const simulated = simulate(FAULTY, seed);
      const removed = classes[seed % classes.length] ?? /^R /;
      const history = recordsOf(simulated.history)
        .filter((record) => !removed.test(record))
        .join('; ');
      if (history === '') continue;
      const { verdict } = judge({ ...simulated, history });
      if (isFirm(verdict?.status) && verdict?.boundary !== 'none' && !simulated.truth.includes(verdict?.boundary ?? ''))
        wrong.push(`${simulated.what} without ${removed}: ${verdict?.boundary}/${verdict?.cause} ${verdict?.status}`);
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
