import { afterEach, describe, expect, it } from 'vitest';
import { createTimeReader, formatUtc, parseTimestamp } from '../../src/time/index.js';

const FILE_DATE = Date.UTC(2024, 0, 20);
const show = (text: string, options = {}) => {
  const time = parseTimestamp(text, { modifiedMs: FILE_DATE, ...options });
  return time && [formatUtc(time.t, time.precision), ...(time.assumed ?? [])].join(' ');
};

describe('parseTimestamp', () => {
  it.each([
    ['2024-01-15T10:30:00Z', '2024-01-15T10:30:00Z'],
    ['2024-01-15T10:30Z', '2024-01-15T10:30:00Z'],
    ['2024-01-15T10:30:00.1Z', '2024-01-15T10:30:00.100Z'],
    ['2024-01-15T10:30:00.123Z', '2024-01-15T10:30:00.123Z'],
    ['2024-01-15T10:30:00.123456Z', '2024-01-15T10:30:00.123456Z'],
    ['2024-01-15T10:30:00.1234567Z', '2024-01-15T10:30:00.123456Z'],
    ['2024-01-15T10:30:00.123456789Z', '2024-01-15T10:30:00.123456Z'],
    ['2024-01-15T10:30:00+00:00', '2024-01-15T10:30:00Z'],
    ['2024-01-15T05:30:00-0500', '2024-01-15T10:30:00Z'],
    ['2024-01-15T16:15:00.5+05:45', '2024-01-15T10:30:00.500Z'],
    ['2024-01-15 05:30:00.123456-05', '2024-01-15T10:30:00.123456Z'],
    ['2024-01-15 02:30:00 -0800', '2024-01-15T10:30:00Z'],
    ['2024-01-15 10:30:00 UTC', '2024-01-15T10:30:00Z'],
    ['2024-02-29T10:30:00Z', '2024-02-29T10:30:00Z'],
    ['2024-01-15T10:30:00.123', '2024-01-15T10:30:00.123Z zone'],
    ['2024-01-15 10:30:00.123', '2024-01-15T10:30:00.123Z zone'],
    ['2024-01-15 10:30:00,123', '2024-01-15T10:30:00.123Z zone'],
    ['20240115T103000Z', '2024-01-15T10:30:00Z'],
    ['1705314600', '2024-01-15T10:30:00Z'],
    ['1705314600123', '2024-01-15T10:30:00.123Z'],
    ['1705314600123456', '2024-01-15T10:30:00.123456Z'],
    ['1705314600123456789', '2024-01-15T10:30:00.123456Z'],
    ['1705314600.123456', '2024-01-15T10:30:00.123456Z'],
    ['2024/01/15 10:30:00', '2024-01-15T10:30:00Z zone'],
    ['15/Jan/2024:05:30:00 -0500', '2024-01-15T10:30:00Z'],
    ['Mon, 15 Jan 2024 10:30:00 GMT', '2024-01-15T10:30:00Z'],
    ['Mon Jan 15 2024 11:30:00 GMT+0100 (Central European Standard Time)', '2024-01-15T10:30:00Z'],
    ['Mon Jan 15 10:30:00 2024', '2024-01-15T10:30:00Z zone'],
    ['Mon 2024-01-15 05:30:00 EST', '2024-01-15T10:30:00Z'],
    ['Jan 15, 2024 @ 10:30:00.123', '2024-01-15T10:30:00.123Z zone'],
    ['15 Jan 2024 10:30:00.123', '2024-01-15T10:30:00.123Z zone'],
    ['15 01 2024 10:30:00.123', '2024-01-15T10:30:00.123Z zone'],
    ['01/15/2024, 10:30:00 PM', '2024-01-15T22:30:00Z zone'],
    ['1/5/2024, 12:30:00 AM', '2024-01-05T00:30:00Z zone'],
    ['1/5/2024, 12:30:00\u202fPM', '2024-01-05T12:30:00Z zone'],
    ['05/01/2024, 10:30:00 pm', '2024-01-05T22:30:00Z zone'],
    ['15.01.2024, 10:30:00', '2024-01-15T10:30:00Z zone'],
    ['05.01.2024, 10:30:00', '2024-01-05T10:30:00Z zone'],
    ['15/01/2024 10:30:00', '2024-01-15T10:30:00Z zone'],
    ['2024. 01. 15. PM 10:30:00', '2024-01-15T22:30:00Z zone'],
    ['2024/01/15 下午10:30:00', '2024-01-15T22:30:00Z zone'],
    ['15‏/01‏/2024، 10:30:00 م', '2024-01-15T22:30:00Z zone'],
    ['15/01/2567 10:30:00', '2024-01-15T10:30:00Z zone'],
    ['02/01/2024, 10:30:00', '2024-01-02T10:30:00Z zone order'],
    ['Jan 15 10:30:00', '2024-01-15T10:30:00Z zone year'],
    ['Jan  5 10:30:00', '2024-01-05T10:30:00Z zone year'],
    ['Dec 31 23:59:59', '2023-12-31T23:59:59Z zone year'],
    ['01-15 10:30:00', '2024-01-15T10:30:00Z zone year'],
    ['10:30:00.123', '2024-01-20T10:30:00.123Z zone date'],
    ['1:03:32 PM', '2024-01-19T13:03:32Z zone date'],
  ])('%s', (text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '12',
    '2024-01-15',
    '2024-13-15T10:30:00Z',
    '2023-02-29T10:30:00Z',
    '2024-01-15T25:30:00Z',
    '2024-01-15T10:30:00Zulu',
    '0001-01-01T00:00:00Z',
    '170531460012',
    '99:99:99',
    '13:00:00 PM',
    '32/13/2024 10:30:00',
    'January',
  ])('refuses %j', (text) => {
    expect(show(text)).toBeUndefined();
  });

  it('reads a missing zone in the one that was given, and assumes nothing then', () => {
    expect(show('2024-01-15T10:30:00', { assumeTz: 'America/New_York' })).toBe('2024-01-15T15:30:00Z');
    expect(show('2024-07-15T10:30:00', { assumeTz: 'America/New_York' })).toBe('2024-07-15T14:30:00Z');
    expect(show('2024-01-15T10:30:00', { assumeTz: '+05:45' })).toBe('2024-01-15T04:45:00Z');
    expect(show('2024-01-15T10:30:00Z', { assumeTz: '+05:45' })).toBe('2024-01-15T10:30:00Z');
  });

  it('takes the first of two equal wall times, and shifts one that never was', () => {
    expect(show('2024-10-27T02:30:00', { assumeTz: 'Europe/Paris' })).toBe('2024-10-27T00:30:00Z');
    expect(show('2024-03-31T02:30:00', { assumeTz: 'Europe/Paris' })).toBe('2024-03-31T01:30:00Z');
    expect(show('2024-03-31T03:30:00', { assumeTz: 'Europe/Paris' })).toBe('2024-03-31T01:30:00Z');
  });

  it('refuses an unknown zone with a sentence', () => {
    expect(() => parseTimestamp('2024-01-15T10:30:00', { assumeTz: 'Mars/Base' })).toThrow(
      /unknown time zone "Mars\/Base"/,
    );
  });

  it('has no year and no date without something to go by', () => {
    expect(parseTimestamp('Jan 15 10:30:00')).toBeUndefined();
    expect(parseTimestamp('10:30:00')).toBeUndefined();
  });
});

describe('a reader of one source', () => {
  const texts = (lines: string[], options = {}) => {
    const reader = createTimeReader({ modifiedMs: FILE_DATE, ...options });
    return lines.map((line) => formatUtc(reader.at(line, 0)?.t ?? Number.NaN, 's'));
  };

  it('turns the year at New Year', () => {
    expect(texts(['Dec 31 23:59:59', 'Jan  1 00:00:01', 'Jan  1 00:00:02'])).toEqual([
      '2023-12-31T23:59:59Z',
      '2024-01-01T00:00:01Z',
      '2024-01-01T00:00:02Z',
    ]);
  });

  it('turns the day at midnight', () => {
    expect(texts(['23:59:59.1 a', '00:00:00.2 b'], { modifiedMs: Date.UTC(2024, 0, 20, 1) })).toEqual([
      '2024-01-19T23:59:59Z',
      '2024-01-20T00:00:00Z',
    ]);
  });

  it('dates an incomplete time by the complete ones around it rather than by the file', () => {
    expect(texts(['2022-03-04T10:00:00Z', 'Mar  4 10:00:01', '10:00:02.5'])).toEqual([
      '2022-03-04T10:00:00Z',
      '2022-03-04T10:00:01Z',
      '2022-03-04T10:00:02Z',
    ]);
  });

  it('learns the order of day and month', () => {
    const reader = createTimeReader();
    reader.learnOrder('[Nest] 1 - 01/30/2024 10:00:00');
    expect(formatUtc(reader.at('02/01/2024 10:00:00', 0)?.t ?? 0, 's')).toBe('2024-02-01T10:00:00Z');
    expect(reader.assumptions()).toEqual([{ name: 'zone', value: 'UTC' }]);
  });

  it('says once what it assumed', () => {
    const reader = createTimeReader({ modifiedMs: FILE_DATE });
    for (const text of ['2024-01-15 10:00:00', '02/01/2024 10:00:00', 'Jan 15 10:00:00', '10:00:00'])
      reader.at(text, 0);
    expect(reader.assumptions()).toEqual([
      { name: 'zone', value: 'UTC' },
      { name: 'day-month-order', value: 'day-first' },
      { name: 'year', value: '2024' },
      { name: 'date', value: '2024-01-15' },
    ]);
  });

  it('reads numbers and objects', () => {
    const { value } = createTimeReader();
    const shown = (raw: unknown) => {
      const hit = value(raw);
      return hit && `${formatUtc(hit.t, hit.precision)} ${hit.precision}`;
    };
    expect(shown(1705314600123)).toBe('2024-01-15T10:30:00.123Z ms');
    expect(shown(1705314600)).toBe('2024-01-15T10:30:00Z s');
    expect(shown(1705314600.123)).toBe('2024-01-15T10:30:00.123Z ms');
    expect(shown(1705314600123456)).toBe('2024-01-15T10:30:00.123456Z us');
    expect(shown({ seconds: 1705314600, nanos: 122999906 })).toBe('2024-01-15T10:30:00.123Z ms');
    expect(shown({ $date: '2024-01-15T10:30:00.123Z' })).toBe('2024-01-15T10:30:00.123Z ms');
    expect(shown({ $date: { $numberLong: '1705314600123' } })).toBe('2024-01-15T10:30:00.123Z ms');
    for (const none of [300, -1, Number.NaN, null, true, {}, [], 1e30]) expect(shown(none)).toBeUndefined();
  });
});

describe('the zone of the machine', () => {
  const before = process.env.TZ;
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns'])('%s is never used', (zone) => {
    process.env.TZ = zone;
    expect(show('2024-01-15 10:30:00')).toBe('2024-01-15T10:30:00Z zone');
    expect(show('Jan 15 10:30:00')).toBe('2024-01-15T10:30:00Z zone year');
    expect(show('01/15/2024, 10:30:00 AM')).toBe('2024-01-15T10:30:00Z zone');
    expect(show('2024-07-15T10:30:00', { assumeTz: 'America/New_York' })).toBe('2024-07-15T14:30:00Z');
  });
});
