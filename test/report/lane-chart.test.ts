/** The chart must stay readable whatever the runs are: no two texts meet, none leaves the picture. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Execution, JobStory, Moment } from '../../src/model/analysis.js';
import { reportContext } from '../../src/report/context.js';
import { laneSvg } from '../../src/report/outputs/lane-svg.js';
import { laneText } from '../../src/report/outputs/lane-text.js';
import { laneChart } from '../../src/report/sections/lane-chart.js';
import { timeAxis } from '../../src/report/sections/time-axis.js';
import { fixture } from './fixtures/load.js';

const BASE = Date.parse('2026-11-30T14:10:40Z');
const CHARACTER_PX = 6.8;
const LINE_PX = 9;
const context = reportContext(fixture('starved'));
const moment = (ms: number): Moment => ({ at: new Date(BASE + ms).toISOString(), precision: 'ms', clock: 'w' });
const ref = { source: 'a', line: 1 };

const run = fc
  .record({
    worker: fc.integer({ min: 0, max: 14 }),
    start: fc.integer({ min: 0, max: 100_000_000 }),
    length: fc.option(fc.integer({ min: 0, max: 60_000 })),
    lease: fc.option(fc.integer({ min: 0, max: 60_000 })),
    progress: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 3 }),
  })
  .map(
    ({ worker, start, length, lease, progress }): Omit<Execution, 'n'> => ({
      worker: `worker-with-a-long-name-${worker}`,
      start: moment(start),
      startRef: ref,
      how: length === null ? 'unknown' : 'completed',
      lock: lease === null ? {} : { acquired: moment(start), expired: moment(start + lease) },
      progress: progress.map((ms) => ({ moment: moment(start + ms), value: 1, ref })),
      ...(length === null ? {} : { returned: moment(start + length), acknowledged: moment(start + length + 1) }),
    }),
  );

const mark = fc.record({
  ms: fc.integer({ min: 0, max: 100_000_000 }),
  kind: fc.constantFrom('stalled', 'stalled-notice', 'lock-missing', 'process-ended', 'redis-lost'),
  worker: fc.option(fc.integer({ min: 0, max: 14 })),
});

const story = fc
  .record({ runs: fc.array(run, { minLength: 1, maxLength: 14 }), marks: fc.array(mark, { maxLength: 30 }) })
  .map(
    ({ runs, marks }): JobStory => ({
      id: '1',
      outcome: 'unknown',
      executions: runs.map((one, index) => ({ ...one, n: index + 1 })),
      timeline: marks.map(({ ms, kind, worker }) => ({
        moment: moment(ms),
        kind,
        text: kind,
        ref,
        ...(worker === null ? {} : { worker: `worker-with-a-long-name-${worker}` }),
      })),
    }),
  );

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

function textBoxes(svg: string): Box[] {
  return [...svg.matchAll(/<text class="[^"]*" x="([\d.-]+)" y="([\d.-]+)"( text-anchor="middle")?>([^<]*)/g)].map(
    ([, x = '', y = '', middle, text = '']) => {
      const width = text.length * CHARACTER_PX;
      const left = Number(x) - (middle === undefined ? 0 : width / 2);
      return { left, right: left + width, top: Number(y) - LINE_PX, bottom: Number(y), text };
    },
  );
}

it('no two texts of a drawn chart meet, and all lie inside', () => {
  fc.assert(
    fc.property(story, (one) => {
      const chart = laneChart(one, context);
      if (chart === undefined) throw new Error('a timed run gives a chart');
      const svg = laneSvg(chart, 'x');
      const height = Number(/viewBox="0 0 920 ([\d.]+)"/.exec(svg)?.[1]);
      const boxes = textBoxes(svg);
      for (const [index, a] of boxes.entries()) {
        expect(a.left, a.text).toBeGreaterThanOrEqual(0);
        expect(a.right, a.text).toBeLessThanOrEqual(920);
        expect(a.bottom, a.text).toBeLessThanOrEqual(height);
        for (const b of boxes.slice(index + 1)) {
          const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          expect(apart, `${JSON.stringify(a)} meets ${JSON.stringify(b)}`).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});

it('the text chart keeps to its width', () => {
  fc.assert(
    fc.property(story, fc.integer({ min: 60, max: 160 }), (one, width) => {
      const chart = laneChart(one, context);
      for (const line of chart === undefined ? [] : laneText(chart, width))
        expect(line.length).toBeLessThanOrEqual(width);
    }),
    { numRuns: 200 },
  );
});

it('a run is drawn until its handler ended, the rest until it was last seen', () => {
  const open: JobStory = {
    id: '1',
    outcome: 'unknown',
    timeline: [],
    executions: [
      {
        n: 1,
        start: moment(0),
        startRef: ref,
        how: 'lost',
        returned: moment(500),
        acknowledged: moment(900),
        lock: {},
        progress: [],
      },
      {
        n: 2,
        start: moment(0),
        startRef: ref,
        how: 'unknown',
        lock: {},
        progress: [{ moment: moment(300), value: 1, ref }],
      },
    ],
  };
  const bars = laneChart(open, context)?.lanes.flatMap((lane) => lane.bars) ?? [];
  expect(bars.map((bar) => [bar.seenToMs - BASE, bar.toMs === bar.seenToMs])).toEqual([
    [500, true],
    [300, false],
  ]);
});

it('draws nothing where no run has a time', () => {
  const untimed = {
    n: 1,
    start: { precision: 'none', clock: 'w' },
    startRef: ref,
    how: 'unknown',
    lock: {},
    progress: [],
  } as const;
  expect(
    laneChart({ id: '1', outcome: 'unknown', timeline: [], executions: [{ ...untimed, progress: [] }] }, context),
  ).toBeUndefined();
});

it.each([
  [0, 7, 1],
  [0, 700, 100],
  [0, 8000, 1000],
  [0, 8001, 2000],
  [0, 3_600_000, 600_000],
  [0, 30 * 86_400_000, 4 * 86_400_000],
])('from %d to %d a tick every %d ms', (from, to, step) => {
  const axis = timeAxis(from, to, 8, 0);
  expect(axis.stepMs).toBe(step);
  expect(axis.ticks.length).toBeLessThanOrEqual(9);
});

it('days begin in the display zone', () => {
  const quarterToSix = (5 * 60 + 45) * 60_000;
  const [first] = timeAxis(0, 6 * 86_400_000, 8, quarterToSix).ticks;
  expect(first).toBe(86_400_000 - quarterToSix);
});
