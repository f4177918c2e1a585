import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/rules/index.js';
import { runRules } from '../../src/rules/run-rules.js';
import { buildStory } from '../../src/story/build-story.js';
import { judgeDuplicate } from '../../src/story/duplicates.js';
import { recordsOf, tell, type Variant } from './history.js';

interface Case {
  readonly name: string;
  readonly expected: string;
  readonly history: string;
}

const CASES: Case[] = readFileSync(new URL('./histories.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', expected = '', history = ''] = line.split('|').map((part) => part.trim());
    return { name, expected, history };
  });

function judge(history: string, variant?: Variant) {
  const { record, scene } = tell(history, variant);
  const story = buildStory(record, scene);
  const { judged, limits } = runRules(RULES, story, scene);
  expect(limits).toEqual([]);
  const verdict = judged[0]?.verdict;
  if (verdict === undefined) return { text: 'silent', verdict, judged };
  const duplicate = verdict.boundary === 'none' ? 'none' : judgeDuplicate(story, scene).duplicate;
  const text = `${verdict.boundary}/${verdict.cause} ${verdict.status} ${duplicate} ${story.runs.length}`;
  return { text, verdict, judged };
}

const firm = (status: string): boolean => status === 'shown' || status === 'likely';

describe('histories', () => {
  for (const { name, expected, history } of CASES) it(name, () => expect(judge(history).text).toBe(expected));
});

describe('a shifted clock changes no verdict', () => {
  for (const { name, expected, history } of CASES)
    it(name, () => {
      for (const shiftMs of [{ A: -3200 }, { A: 4100 }, { B: 5000, C: -5000 }])
        expect(judge(history, { shiftMs }).text).toBe(expected);
    });
});

describe('removing any one record never turns a verdict into another boundary', () => {
  for (const { name, history } of CASES)
    it(name, () => {
      const whole = judge(history).verdict;
      const records = recordsOf(history);
      records.forEach((removed, n) => {
        const rest = records.filter((_, m) => m !== n).join('; ');
        if (rest === '') return;
        const { verdict } = judge(rest);
        if (verdict === undefined || !firm(verdict.status) || verdict.boundary === 'none') return;
        expect([whole?.boundary], `without "${removed}"`).toContain(verdict.boundary);
      });
    });
});

describe('an assumed lockDuration', () => {
  it('never proves that a lock was removed', () => {
    const history = CASES.find((one) => one.name === 'lock gone before it could expire')?.history ?? '';
    expect(judge(history, { lockBasis: 'assumed' }).verdict?.boundary).not.toBe('redis-loss');
  });
});

describe('snapshots', () => {
  const open = 'R 0 active; A 1 handler-started; R 300 progress progress=50; B 12000 -';
  it('a job left active without a lock whose process is gone', () => {
    const facts = [{ states: ['active'] as const, momentMs: [12_000, 13_000] as const }];
    expect(judge(open, { facts, endMs: 12_000 }).text).toBe('worker-exit/process-killed likely none 1');
  });
  it('a handler that never settled while its lock was renewed', () => {
    const facts = [
      { states: ['active'] as const, momentMs: [12_000, 13_000] as const, lock: { token: 't', expiresAtMs: 13_500 } },
    ];
    expect(judge(open, { facts, endMs: 12_000 }).text).toBe('progress-to-ack/handler-never-settled likely none 1');
  });
  it('a job that is simply running', () => {
    const facts = [
      { states: ['active'] as const, momentMs: [400, 1400] as const, lock: { token: 't', expiresAtMs: 2000 } },
    ];
    expect(judge('R 0 active; A 1 handler-started', { facts, endMs: 400 }).text).toBe('silent');
  });
});
