/** The first sentence answers the first question, whatever the finding. */
import { describe, expect, it } from 'vitest';
import type { AffectedJob, Analysis, Finding } from '../../src/model/analysis.js';
import { BOUNDARY_NAMES } from '../../src/model/boundaries.js';
import { reportContext } from '../../src/report/context.js';
import { answer } from '../../src/report/sections/answer.js';
import { fixture } from './fixtures/load.js';

function starved(change: (finding: Finding, job: AffectedJob) => void): Analysis {
  const analysis = fixture('starved');
  const [finding] = analysis.findings;
  const [job] = finding?.jobs ?? [];
  if (finding === undefined || job === undefined) throw new Error('the fixture has a finding with a job');
  change(finding, job);
  return analysis;
}

const sentence = (analysis: Analysis): string => answer(reportContext(analysis)).sentence;

it('names who held the job when, and whether both ended', () => {
  expect(sentence(fixture('starved'))).toBe(
    'Job 5 of queue reports ran twice at once because the lock ran out while the handler ran (lock-renewal, worker-unresponsive: not told apart from event-loop-blocked and process-suspended), not because two workers fought over the job: worker-a-16271 (pid 13754) started it at 14:10:41.610, worker-c-162af (pid 13767) started it again at 14:10:46.281; both reached their end, overlapping by 201 ms.',
  );
});

describe('is as sure as its finding', () => {
  it.each([
    ['likely', 'ran twice at once, likely because the lock ran out'],
    ['possible', 'ran twice at once, possibly because the lock ran out'],
    ['cannot-tell', 'ran twice at once, perhaps because the lock ran out'],
  ] as const)('%s', (status, expected) => {
    expect(
      sentence(
        starved((finding) => {
          finding.status = status;
        }),
      ),
    ).toContain(expected);
  });
});

it.each([
  [{ atLeast: 0, atMost: 0 }, 'neither reached its end'],
  [{ atLeast: 1, atMost: 1 }, 'one of the two reached its end'],
  [{ atLeast: 1, atMost: 2 }, 'at least 1 and at most 2 of 2 runs reached their end'],
])('ends %j', (ended, expected) => {
  expect(
    sentence(
      starved((_finding, job) => {
        job.ended = ended;
      }),
    ),
  ).toContain(expected);
});

it.each(BOUNDARY_NAMES.filter((name) => name !== 'none'))('has a whole sentence for %s', (boundary) => {
  const text = sentence(
    starved((finding, job) => {
      finding.boundary = boundary;
      job.duplicate = 'none';
    }),
  );
  expect(text).toMatch(/^Job 5 of queue reports .* because .*: worker-a-16271 .*; both reached their end.*\.$/);
});

it('counts where several jobs share a finding', () => {
  const text = sentence(
    starved((finding, job) => {
      finding.jobs = [
        job,
        { queue: 'reports', id: '6', duplicate: 'sequential', ended: { atLeast: 1, atMost: 2 } },
        { queue: 'reports', id: '7', duplicate: 'none', ended: { atLeast: 1, atMost: 1 } },
        { queue: 'reports', id: '8', duplicate: 'none', ended: { atLeast: 1, atMost: 1 } },
      ];
    }),
  );
  expect(text).toContain(
    '4 jobs of queue reports (5, 6, 7 and 1 more) were affected (1 ran twice at once, 1 ran twice, one run after the other)',
  );
  expect(text).toContain('for instance, worker-a-16271 (pid 13754) started job 5 at 14:10:41.610');
  expect(text).toContain('1 of 4 surely reached their end twice, 1 more possibly.');
});

it('never says that all is well', () => {
  for (const name of ['healthy', 'empty'] as const) {
    const { sentence: said, more } = answer(reportContext(fixture(name)));
    expect(said).toMatch(/^No failed boundary was found in what these sources cover: /);
    expect(more.join(' ')).toContain('cannot be excluded');
  }
});
