import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVIDENCE_CLASSES, type EvidenceClass } from '../../src/model/evidence-classes.js';
import { RULES } from '../../src/rules/index.js';
import { runRules } from '../../src/rules/run-rules.js';
import { unmetNeeds } from '../../src/rules/unmet-needs.js';
import { buildStory } from '../../src/story/build-story.js';
import { recordsOf, tell } from './history.js';

const HISTORIES = readFileSync(new URL('./histories.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => line.split('|').map((part) => part.trim()))
  .map(([name = '', , history = '']) => ({ name, records: recordsOf(history) }));

/** What a record of a history can be evidence of: the stream of an RDB, a MONITOR capture, a snapshot, a worker's log. */
const CLASSES: Readonly<Record<string, readonly EvidenceClass[]>> = {
  R: ['events-stream'],
  M: ['events-stream', 'lock-history', 'rejected-commands'],
  S: ['snapshot'],
  Q: ['snapshot'],
  I: [],
  J: [],
  T: [],
};
const classesOf = (record: string): readonly EvidenceClass[] => CLASSES[record.slice(0, 1)] ?? ['worker-log'];

describe('without the evidence that it needs no rule speaks', () => {
  for (const { name, records } of HISTORIES)
    it(name, () => {
      for (const left of ['R', 'M', 'R, M', 'S, Q', 'R, S, Q', 'logs', 'logs, S, Q', 'everything']) {
        const rest = records.filter(
          (record) => left === 'everything' || left.includes(CLASSES[record.slice(0, 1)] ? record.slice(0, 1) : 'logs'),
        );
        if (rest.every((record) => /^[SQ] /.test(record))) continue;
        const { record, scene } = tell(rest.join('; '));
        const covered = new Set(rest.flatMap(classesOf));
        const said = runRules(RULES, buildStory(record, scene), scene).judged.map((one) => one.rule);
        for (const { name: rule, needs } of said)
          expect(
            needs.some((one) => covered.has(one)),
            `${rule} with ${left}`,
          ).toBe(true);
      }
    });
});

describe('rules that could not run', () => {
  const idle = (...covered: EvidenceClass[]) => unmetNeeds(RULES, new Set(covered)).map(({ detail }) => detail);

  it('are told with what each set of them needs', () => {
    expect(unmetNeeds(RULES, new Set(['worker-log']))).toContainEqual({
      what: 'rules that could not run',
      detail: 'never-started: needs a snapshot of Redis',
    });
    expect(idle('worker-log')).toContain(
      'handler-never-settled, no-sweep-ran: need a snapshot of Redis or the history of locks (AOF or MONITOR)',
    );
  });

  it('are none where every class is there, and all where none is', () => {
    expect(idle(...EVIDENCE_CLASSES)).toEqual([]);
    expect(
      idle()
        .join(', ')
        .match(/[a-z-]+(?=[:,] )/g),
    ).toEqual(expect.arrayContaining(RULES.map(({ name }) => name)));
  });

  it('a MONITOR capture alone lets the rules about locks and ends of workers run', () => {
    const said = idle('events-stream', 'lock-history', 'rejected-commands').join('\n');
    expect(said).toMatch(/writes-refused/);
    expect(said).not.toMatch(/lock-renewal|worker-exit|lock-key-removed|no-sweep-ran/);
  });
});
