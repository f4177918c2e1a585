import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../src/rules/index.js';
import { runRules } from '../../src/rules/run-rules.js';
import { buildStory } from '../../src/story/build-story.js';
import { judgeDuplicate } from '../../src/story/duplicates.js';
import { LOCK_MS, recordsOf, tell, type Variant } from './history.js';

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

describe('a rule names only what it says of itself', () => {
  for (const { name, history } of CASES)
    it(name, () => {
      for (const { rule, verdict } of judge(history).judged) {
        expect(rule.causes, rule.name).toContain(verdict.cause);
        for (const { cause } of verdict.hypotheses) expect(rule.rivals, rule.name).toContain(cause);
      }
    });
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
  it('a job left active although its handler returned before its worker closed', () => {
    const closed = `R 0 active; A 1 handler-started; A 100 worker-signal signal=SIGTERM; R 690 progress progress=100;
      A 700 handler-returned; A 800 worker-closed; S 9000 active; R 9500 paused`;
    expect(judge(closed).text).toBe('return-to-ack/shutdown-without-close likely none 1');
  });
  it('a handler that never settled while its lock was renewed', () => {
    const facts = [
      { states: ['active'] as const, momentMs: [12_000, 13_000] as const, lock: { token: 't', expiresAtMs: 13_500 } },
    ];
    expect(judge(open, { facts, endMs: 12_000 }).text).toBe('progress-to-ack/handler-never-settled likely none 1');
  });
  it('ten times the longest run of another name says nothing firm of this one', () => {
    const facts = [
      {
        ...{ states: ['active'] as const, momentMs: [12_000, 13_000] as const, name: 'export' },
        lock: { token: 't', expiresAtMs: 13_500 },
      },
    ];
    const told = (longestRuns: Readonly<Record<string, number>>) =>
      judge(open, { facts, endMs: 12_000, longestRuns }).verdict;
    expect(told({ mail: 300, export: 400 })).toMatchObject({ cause: 'handler-never-settled', status: 'likely' });
    expect(told({ mail: 300, export: 400 })?.says).toContain('the longest completed run of that name took 400 ms');
    expect(told({ mail: 300, export: 5000 })).toBeUndefined();
    expect(told({ mail: 300 })?.status).toBe('possible');
  });
  it('a job that is simply running', () => {
    const facts = [
      { states: ['active'] as const, momentMs: [400, 1400] as const, lock: { token: 't', expiresAtMs: 2000 } },
    ];
    expect(judge('R 0 active; A 1 handler-started', { facts, endMs: 400 }).text).toBe('silent');
  });
});

describe('what followed, and what somebody did later', () => {
  const requeued = CASES.find((one) => one.name === 'a stalled callback requeues the completed job')?.history ?? '';
  it('a stalled callback that put the completed job back is a finding beside the lost lock', () => {
    const { judged } = judge(requeued);
    expect(judged.map(({ verdict }) => `${verdict.boundary}/${verdict.cause} ${verdict.status}`)).toEqual([
      'lock-renewal/worker-unresponsive likely',
      'manual-requeue/completed-job-retried shown',
    ]);
  });
  it('a second run that began from an earlier checkpoint is told', () => {
    const { history } = CASES.find((one) => one.name.startsWith('done twice across a restart')) ?? { history: '' };
    const { record, scene } = tell(history);
    expect(judgeDuplicate(buildStory(record, scene), scene)).toMatchObject({
      duplicate: 'sequential',
      progressRegressed: true,
    });
    const onward = history.replace('progress=20', 'progress=90');
    const later = tell(onward);
    expect(judgeDuplicate(buildStory(later.record, later.scene), later.scene).progressRegressed).toBeUndefined();
  });
});

describe('advice for the version in evidence', () => {
  const adviceOf = (name: string, version?: string): string => {
    const history = CASES.find((one) => one.name === name)?.history ?? '';
    return judge(history, version === undefined ? {} : { version }).verdict?.advice.join('\n') ?? '';
  };

  it('names the special error of the move, where the version has it', () => {
    const delayed = 'moved to delayed, returned plainly';
    expect(adviceOf(delayed, '5.81.5')).toMatch(/throw new DelayedError\(\).*the evidence shows BullMQ 5\.81\.5/);
    expect(adviceOf(delayed, '5.81.5')).not.toMatch(/WaitingChildrenError|WaitingError|Upgrade/);
    expect(adviceOf(delayed, '3.9.0')).toMatch(/Upgrade to 3\.10\.2/);
    expect(adviceOf('waiting for children, returned plainly', '6.7.0')).toMatch(/throw new WaitingChildrenError/);
  });

  it('says both where the version is not known', () => {
    const advice = adviceOf('blocked, another worker took over');
    expect(advice).toMatch(/BullMQ before 5\.64\.0: .*extendLock/);
    expect(advice).toMatch(/From BullMQ 5\.64\.0 on: .*cancelJob/);
  });

  it('says one where it is, and knows a bare major', () => {
    const name = 'blocked, another worker took over';
    expect(adviceOf(name, '5.30.1')).not.toMatch(/cancelJob/);
    expect(adviceOf(name, '6')).toMatch(/cancelJob/);
    expect(adviceOf(name, '6')).not.toMatch(/extendLock/);
    expect(adviceOf(name, '5')).toMatch(/extendLock[\s\S]*cancelJob/);
  });

  it('asks for no upgrade that was made', () => {
    const name = 'lock given up by the script that refused the finish';
    expect(adviceOf(name, '5.45.1')).toMatch(/Upgrade/);
    expect(adviceOf(name, '5.45.2')).not.toMatch(/Upgrade|are looked at/);
    expect(adviceOf('fetched by a closing worker, never run there', '5.60.0')).not.toMatch(/Upgrade/);
    expect(adviceOf('delayed job past its time', '1.91.1')).toMatch(/QueueScheduler/);
    expect(adviceOf('delayed job past its time', '5.81.5')).not.toMatch(/QueueScheduler/);
  });
});

describe('the smallest change that would have avoided it', () => {
  const remedyOf = (name: string, variant?: Variant) => {
    const history = CASES.find((one) => one.name === name)?.history ?? '';
    return judge(history, variant).verdict?.remedy;
  };

  it('a lock that outlives the run, or twice the silence of a process that renews', () => {
    // From Redis' activation to the return on the worker's clock, whose offset is known to a millisecond either way.
    expect(remedyOf('blocked, another worker took over')?.atLeastMs).toBeCloseTo(8001, -1);
    const long = 'R 0 active; A 1 handler-started; A 900 -; A 5000 -; A 9000 handler-returned; A 9004 lock-missing';
    const { verdict } = judge(`${long}; R 4600 waiting prev=active; R 4600 stalled; C 4601 stalled-notice`);
    expect(verdict?.remedy?.atLeastMs).toBeGreaterThanOrEqual(8200);
    expect(verdict?.remedy?.atLeastMs).toBeLessThan(8300);
    expect(verdict?.remedy?.tell('8.21 s', '17 of 17 jobs')).toMatch(
      /lockDuration of at least 8\.21 s \(it was 2\.00 s\) 17 of 17 jobs would have kept the lock, if .* silent for as long/,
    );
  });

  it('a grace period for what the run still needed, if it is one of the longest', () => {
    const name = 'told to stop, not closed';
    expect(remedyOf(name, { longestRunMs: 1000 })?.atLeastMs).toBeCloseTo(700, -1);
    expect(remedyOf(name, { longestRunMs: 200 })).toBeUndefined();
    expect(remedyOf('killed in mid handler, evidence goes on', { longestRunMs: 1000 })).toBeUndefined();
  });

  it('a lock that outlives the delay of its finish', () => {
    const remedy = remedyOf('finish held up past the life of the lock');
    expect(remedy?.atLeastMs).toBeCloseTo(3501, -1);
  });

  it('never less than the lock that was lost', () => {
    for (const { name } of CASES)
      if (remedyOf(name)?.tell('', '').includes('lockDuration'))
        expect(remedyOf(name)?.atLeastMs, name).toBeGreaterThan(LOCK_MS);
  });
});
