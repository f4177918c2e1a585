import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZone, formatUtc, parseDuration, parseTimestamp } from '../../src/time/index.js';

describe('formatUtc', () => {
  it('writes as many digits as the time is worth', () => {
    const t = Date.UTC(2024, 0, 15, 10, 30, 0, 123) + 0.456;
    expect(formatUtc(t, 's')).toBe('2024-01-15T10:30:00Z');
    expect(formatUtc(t, 'ms')).toBe('2024-01-15T10:30:00.123Z');
    expect(formatUtc(t, 'us')).toBe('2024-01-15T10:30:00.123456Z');
    expect(formatUtc(t, 'none')).toBe('2024-01-15T10:30:00.123Z');
  });

  it('is read back as the same time', () => {
    const micros = fc
      .integer({ min: Date.UTC(1980, 0), max: Date.UTC(2039, 0) })
      .chain((ms) => fc.integer({ min: 0, max: 999 }).map((us) => ms + us / 1000));
    fc.assert(fc.property(micros, (t) => Math.abs((parseTimestamp(formatUtc(t, 'us'))?.t ?? 0) - t) < 0.0006));
  });

  it('does not throw on times no calendar has', () => {
    expect(formatUtc(Number.NaN, 'ms')).toBe('NaN');
    expect(formatUtc(1e300, 'ms')).toBe('1e+300');
  });
});

describe('parseDuration', () => {
  it.each([
    ['30s', 30_000],
    ['1500ms', 1500],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['2000', 2000],
    ['1.5s', 1500],
    ['1m30s', 90_000],
    [' 10 s'.replace(' s', 's'), 10_000],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 's', '10x', '-5s', '1h 5', 'ten', '5m!'])('refuses %j', (text) => {
    expect(() => parseDuration(text)).toThrow(/is not a duration/);
  });
});

describe('createZone', () => {
  it.each(['UTC', 'Z', '+00:00', 'GMT'])('%s is UTC', (name) => {
    expect(createZone(name).toUtc(1000)).toBe(1000);
  });

  it.each([
    ['+05:30', -19_800_000],
    ['-0330', 12_600_000],
    ['+2', -7_200_000],
    ['UTC+2', -7_200_000],
    ['America/St_Johns', 12_600_000],
  ])('%s', (name, shift) => {
    expect(createZone(name).toUtc(Date.UTC(2024, 0, 15)) - Date.UTC(2024, 0, 15)).toBe(shift);
  });

  it.each(['Nowhere', '+25:00', ''])('refuses %j', (name) => {
    expect(() => createZone(name)).toThrow();
  });
});
