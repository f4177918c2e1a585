/** Order, gaps, first detection, and one row for one event however many sources told it. */
import { expect, it } from 'vitest';
import type { Analysis, TimelineEntry } from '../../src/model/analysis.js';
import { reportContext } from '../../src/report/context.js';
import { CAPS } from '../../src/report/options.js';
import { timeline } from '../../src/report/sections/timeline.js';
import { timelineRecords } from '../../src/report/sections/timeline-records.js';
import { fixture } from './fixtures/load.js';

const BASE = Date.parse('2026-11-30T14:10:40Z');
const at = (ms: number, redisMs?: [number, number]): TimelineEntry['moment'] => ({
  at: new Date(BASE + ms).toISOString(),
  precision: 'ms',
  clock: 'w',
  ...(redisMs === undefined ? {} : { redisMs: [BASE + redisMs[0], BASE + redisMs[1]] }),
});
const entry = (moment: TimelineEntry['moment'], kind: string, source: string, line: number): TimelineEntry => ({
  moment,
  kind,
  text: kind,
  ref: { source, line },
});

function story(...entries: TimelineEntry[]): Analysis {
  const analysis = fixture('healthy');
  analysis.stories = [{ queue: 'q', id: '1', outcome: 'completed', executions: [], timeline: entries }];
  return analysis;
}
const events = (analysis: Analysis): string[] =>
  timeline(reportContext(analysis)).rows.map((row) => `${row.delta} ${row.event}`.trim());

it('one event told by three sources is one row with three references', () => {
  const analysis = story(
    entry(at(0), 'active', 'a', 1),
    entry(at(0), 'lock-set', 'a', 2),
    entry(at(0), 'active', 'b', 7),
    entry(at(1), 'active', 'c', 9),
    entry(at(2), 'active', 'd', 9),
  );
  const { rows } = timeline(reportContext(analysis));
  expect(rows.map((row) => row.event)).toEqual(['active', 'lock-set', 'active']);
  expect(rows[0]?.reference.map((part) => part.text).join('')).toBe(
    'logs/worker-a.log:1, logs/worker-b.log:7, logs/worker-c.log:9',
  );
  expect(timelineRecords(reportContext(analysis))).toHaveLength(5);
});

it('one source telling a thing twice means that it happened twice', () => {
  expect(events(story(entry(at(0), 'lock-missing', 'a', 1), entry(at(0), 'lock-missing', 'a', 2)))).toHaveLength(2);
});

it('stands in the order of Redis, with the time that the record told', () => {
  const analysis = story(
    entry(at(1000), 'active', 'a', 1),
    entry(at(9000, [1500, 1520]), 'handler-started', 'b', 1),
    entry(at(2000), 'completed', 'a', 2),
  );
  const { rows } = timeline(reportContext(analysis));
  expect(rows.map((row) => row.time)).toEqual([
    '14:10:41.000',
    '14:10:49.000 (Redis time 14:10:41.510 ± 10 ms)',
    '14:10:42.000',
  ]);
});

it('keeps the order of a story where bounds allow it', () => {
  const analysis = story(entry(at(100), 'completed', 'a', 1), entry(at(100, [95, 103]), 'acknowledged', 'b', 1));
  expect(events(analysis)).toEqual(['completed', '+0 ms acknowledged']);
});

it('marks a gap that is long for this timeline, and records without a time come last', () => {
  const analysis = story(
    entry({ precision: 'none', clock: 'w' }, 'handler-line', 'a', 4),
    entry(at(0), 'active', 'a', 1),
    entry(at(20), 'handler-started', 'a', 2),
    entry(at(40), 'handler-progress', 'a', 3),
    entry(at(8040), 'handler-returned', 'a', 5),
  );
  const { rows } = timeline(reportContext(analysis));
  expect(rows.map((row) => row.gap)).toEqual(['', '', '', '8 s without a record shown here', '']);
  expect(rows.at(-1)?.time).toBe('no time known');
});

it('tells when it happened apart from what first told of it', () => {
  const view = timeline(reportContext(fixture('starved')));
  expect(view.occurred).toBe('2026-11-30 14:10:43.609216');
  expect(view.detected).toMatch(/^2026-11-30 14:10:46\.276, 2\.667 s later: Stalled/);
  expect(view.rows.filter((row) => row.detection)).toHaveLength(1);
});

it('keeps the records of findings where it must cut', () => {
  const analysis = fixture('starved');
  const [first] = analysis.stories;
  if (first === undefined) throw new Error('the fixture has a story');
  const noise = Array.from({ length: 5000 }, (_, index) => entry(at(-6000 + index), 'handler-line', 'a', 1000 + index));
  first.timeline = [...noise, ...first.timeline];
  const view = timeline(reportContext(analysis));
  expect(view.rows).toHaveLength(CAPS.timelineRows);
  expect(view.rows.filter((row) => row.finding !== '')).toHaveLength(6);
  expect(view.more).toContain('more records are in timeline.csv');
});
