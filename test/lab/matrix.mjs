/**
 * Which recordings `--all` makes: every scenario with several versions of BullMQ, log formats and words, chosen so that
 * each format and each set of words meets many scenarios without recording every combination.
 */
import { scenarios } from './scenarios.mjs';

/** The versions alternate, and an odd step over them gives each scenario both. */
const CHOICES = [
  { bullmq: 'v5', log: 'pino', words: 'a' },
  { bullmq: 'v6', log: 'nest', words: 'b' },
  { bullmq: 'v5', log: 'console', words: 'd' },
  { bullmq: 'v6', log: 'logfmt', words: 'c' },
  { bullmq: 'v5', log: 'winston', words: 'b' },
  { bullmq: 'v6', log: 'pino-iso', words: 'c' },
  { bullmq: 'v5', log: 'nest', words: 'f' },
  { bullmq: 'v6', log: 'bare', words: 'e' },
  { bullmq: 'v5', log: 'cri-pino', words: 'a' },
  { bullmq: 'v6', log: 'pretty', words: 'a' },
  { bullmq: 'v5', log: 'bare', words: 'b' },
  { bullmq: 'v6', log: 'winston', words: 'd' },
  { bullmq: 'v5', log: 'pino-iso', words: 'f' },
  { bullmq: 'v6', log: 'docker-nest', words: 'b' },
  { bullmq: 'v5', log: 'logfmt', words: 'a' },
  { bullmq: 'v6', log: 'compose-bare', words: 'd' },
];
const EACH = 4;
const FROM_ONE_TO_THE_NEXT = 5;
const FROM_SCENARIO_TO_SCENARIO = 7;

/** `{ folder, scenario, bullmq, log, words }` for the named scenarios, or for all. */
export function matrix(names = []) {
  const chosen = [...scenarios.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  return chosen.flatMap((scenario) => {
    const first = [...scenarios.keys()].indexOf(scenario.name);
    return Array.from(
      { length: EACH },
      (_, i) => CHOICES[(first * FROM_SCENARIO_TO_SCENARIO + i * FROM_ONE_TO_THE_NEXT) % CHOICES.length],
    ).map((choice) => ({
      folder: `${scenario.name}-${choice.bullmq}-${choice.log}-${choice.words}`,
      scenario,
      ...choice,
    }));
  });
}
