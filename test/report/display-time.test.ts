import { describe, expect, it } from 'vitest';
import type { Moment } from '../../src/model/analysis.js';
import { axisMs, clockFace, epochOf } from '../../src/report/display-time.js';
import { durationText, intervalText } from '../../src/report/durations.js';

const moment = (at: string, precision: Moment['precision'] = 'ms'): Moment => ({ at, precision, clock: 'w' });

describe('clockFace', () => {
  it.each([
    ['UTC', '2026-11-30T14:10:41.610Z', '2026-11-30 14:10:41.610'],
    ['UTC', '2026-11-30T14:10:41.609216Z', '2026-11-30 14:10:41.609216'],
    ['Europe/Berlin', '2026-11-30T14:10:41.609216Z', '2026-11-30 15:10:41.609216 +01:00'],
    ['Asia/Kathmandu', '2026-11-30T20:10:41.1Z', '2026-12-01 01:55:41.1 +05:45'],
    ['America/St_Johns', '2026-11-30T01:00:00Z', '2026-11-29 21:30:00 -03:30'],
    ['+05:30', '2026-11-30T01:00:00Z', '2026-11-30 06:30:00 +05:30'],
    ['UTC', 'yesterday', 'yesterday'],
    ['UTC', '2026-13-45T99:00:00Z', '2026-13-45T99:00:00Z'],
  ])('%s %s', (zone, at, expected) => {
    expect(clockFace(zone).dateTime(moment(at))).toBe(expected);
  });

  it('shows both offsets of the night the clocks go back', () => {
    const berlin = clockFace('Europe/Berlin');
    expect(berlin.dateTime(moment('2026-10-25T00:30:00Z'))).toBe('2026-10-25 02:30:00 +02:00');
    expect(berlin.dateTime(moment('2026-10-25T01:30:00Z'))).toBe('2026-10-25 02:30:00 +01:00');
  });

  it('invents no digits that a record did not have', () => {
    expect(clockFace().dateTime(moment('2026-11-30T14:10:41.000Z', 's'))).toBe('2026-11-30 14:10:41');
    expect(clockFace().dateTime({ precision: 'none', clock: 'w' })).toBe('no time known');
  });

  it('says where Redis places a clock that is wrong', () => {
    const skewed: Moment = { ...moment('2026-11-30T14:10:45.000Z'), redisMs: [1796047841890, 1796047841910] };
    expect(clockFace().dateTime(skewed)).toBe('2026-11-30 14:10:45.000 (Redis time 14:10:41.900 ± 10 ms)');
    const near: Moment = { ...moment('2026-11-30T14:10:41.900Z'), redisMs: [1796047841893, 1796047841895] };
    expect(clockFace().dateTime(near)).toBe('2026-11-30 14:10:41.900');
  });

  it('refuses a zone that does not exist', () => {
    expect(() => clockFace('Mars/Olympus')).toThrow(/unknown time zone/);
  });
});

it('places moments on the axis', () => {
  expect(epochOf('2026-11-30T14:10:41.609216Z')).toBeCloseTo(1796047841609.216, 3);
  expect(axisMs({ precision: 'ms', clock: 'w', redisMs: [10, 20] })).toBe(15);
  expect(axisMs({ precision: 'none', clock: 'w' })).toBeUndefined();
});

it.each([
  [0, '0 ms'],
  [0.4, '0.4 ms'],
  [201, '201 ms'],
  [4671, '4.671 s'],
  [2000, '2 s'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
  [90_000_000, '1 d 1 h'],
  [-120, '−120 ms'],
])('%d ms is %s', (ms, expected) => {
  expect(durationText(ms)).toBe(expected);
});

it('prints an interval once where both ends look alike', () => {
  expect(intervalText([2, 2.01])).toBe('2 ms');
  expect(intervalText([-1, 2])).toBe('−1 ms to 2 ms');
});
