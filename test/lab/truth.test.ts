/** The labels of the lab decide what counts as right, so what they are made by is tried on records written by hand. */
import { describe, expect, it } from 'vitest';
import { factsOf, faultsOf } from './truth.mjs';

type Told = Record<string, unknown>;
const start = (t: number, worker: string, n = 0): Told => ({
  t,
  worker,
  k: 'start',
  job: '7',
  token: `${worker}:${n}`,
});
const end = (t: number, worker: string, k: string, more: Told = {}, n = 0): Told => ({
  t,
  worker,
  k,
  job: '7',
  token: `${worker}:${n}`,
  ...more,
});
const exit = (t: number, worker: string): Told => ({ t, worker, k: 'exit', harness: true });
const failed = (t: number, worker: string): Told => ({ t, worker, k: 'ev-failed', job: '7' });

/** [what happened, records, verdict, overlap in ms] */
const HISTORIES: [string, Told[], string, number][] = [
  ['one run', [start(0, 'a'), end(50, 'a', 'return')], 'none', 0],
  ['a run that still goes on', [start(0, 'a')], 'none', 0],
  ['killed, then run again', [start(0, 'a'), exit(50, 'a'), start(90, 'b'), end(120, 'b', 'return')], 'sequential', 0],
  [
    'two runs side by side',
    [start(0, 'a'), start(60, 'b'), end(100, 'a', 'return'), end(120, 'b', 'return')],
    'overlapping',
    40,
  ],
  [
    'a retry after a recorded failure',
    [start(0, 'a'), end(50, 'a', 'throw'), failed(51, 'a'), start(90, 'b'), end(120, 'b', 'return')],
    'none',
    0,
  ],
  [
    'a failure that was never recorded',
    [start(0, 'a'), end(50, 'a', 'throw'), start(90, 'b'), end(120, 'b', 'return')],
    'sequential',
    0,
  ],
  [
    'a sandboxed child killed, and its failure recorded',
    [
      start(0, 'a'),
      end(50, 'a', 'kill', { child: true }),
      failed(51, 'a'),
      start(90, 'a', 1),
      end(99, 'a', 'return', {}, 1),
    ],
    'none',
    0,
  ],
  [
    'a sandboxed child killed, and nobody recorded it',
    [start(0, 'a'), end(50, 'a', 'kill', { child: true }), start(90, 'b'), end(99, 'b', 'return')],
    'sequential',
    0,
  ],
  [
    'a step left by its special error, run again under the same token',
    [start(0, 'a'), end(50, 'a', 'throw', { special: true }), start(51, 'a'), end(80, 'a', 'return')],
    'none',
    0,
  ],
  [
    'a plain return right after the move',
    [start(0, 'a'), end(50, 'a', 'left-after-move'), start(90, 'a', 1), end(120, 'a', 'return', {}, 1)],
    'none',
    0,
  ],
  [
    'completed, then retried by hand',
    [start(0, 'a'), end(50, 'a', 'return'), start(500, 'a', 1), end(520, 'a', 'return', {}, 1)],
    'sequential',
    0,
  ],
];

describe('truth', () => {
  it.each(HISTORIES)('%s', (_, raw, duplicate, overlapMs) => {
    expect(factsOf(raw, '7', 1000)).toMatchObject({ duplicate, overlapMs });
  });

  it('refuses a recording in which a job nobody blamed was run twice or lost its lock', () => {
    const twice = [start(0, 'a'), exit(50, 'a'), start(90, 'b'), end(120, 'b', 'return')];
    expect(faultsOf({ raw: twice, blamed: {}, recordedUntil: 1000 })).toHaveLength(1);
    const lost = [start(0, 'a'), { t: 40, k: 'ev-error', err: 'Missing lock for job 7. moveToFinished' }];
    expect(faultsOf({ raw: lost, blamed: {}, recordedUntil: 1000 })).toHaveLength(1);
    const other = [start(0, 'a'), { t: 40, k: 'ev-error', err: 'Missing lock for job 77. moveToFinished' }];
    expect(faultsOf({ raw: other, blamed: {}, recordedUntil: 1000 })).toEqual([]);
  });

  it('refuses a recording that does not show what its scenario promised', () => {
    const blamed = { 7: { expect: { duplicate: 'overlapping', executions: 2 } } };
    const faults = faultsOf({ raw: [start(0, 'a'), end(50, 'a', 'return')], blamed, recordedUntil: 1000 });
    expect(faults).toEqual(['job 7: none, not overlapping', 'job 7: 1 runs, not 2']);
  });
});
