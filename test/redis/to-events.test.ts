import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryToEvent, oneLine, progressOf } from '../../src/redis/to-events.js';

const place = {
  name: { prefix: 'bull', queue: 'mail' },
  ms: 1700000000123,
  seq: 4,
  offset: 99,
  deleted: false,
};
const event = (fields: Record<string, string>, changed: Partial<typeof place> = {}) =>
  entryToEvent({ ...place, ...changed }, (name) => fields[name]);
const common = { clock: 'redis', t: 1700000000123, precision: 'ms', line: 4, offset: 99, queue: 'mail' };

describe('an entry of an events stream', () => {
  test.each([
    [
      { event: 'added', jobId: '7', name: 'send' },
      { kind: 'added', job: '7', data: { jobName: 'send' } },
    ],
    [
      { event: 'waiting', jobId: '7' },
      { kind: 'waiting', job: '7' },
    ],
    [
      { event: 'waiting', jobId: '7', prev: 'active' },
      { kind: 'waiting', job: '7', data: { prev: 'active' } },
    ],
    [
      { event: 'active', jobId: '7', prev: 'waiting' },
      { kind: 'active', job: '7', data: { prev: 'waiting' } },
    ],
    [
      { event: 'stalled', jobId: '7' },
      { kind: 'stalled', job: '7' },
    ],
    [
      { event: 'delayed', jobId: '7', delay: '1700000005000.000244' },
      { kind: 'delayed', job: '7', data: { dueMs: 1700000005000 } },
    ],
    [
      { event: 'completed', jobId: '7', returnvalue: '{"secret":1}', prev: 'active' },
      { kind: 'completed', job: '7', data: { prev: 'active' } },
    ],
    [
      { event: 'failed', jobId: '7', prev: 'active', failedReason: 'job stalled more than allowable limit' },
      { kind: 'failed', job: '7', data: { prev: 'active', text: 'job stalled more than allowable limit' } },
    ],
    [
      { event: 'retries-exhausted', jobId: '7', attemptsMade: '3' },
      { kind: 'retries-exhausted', job: '7', data: { attempt: 3 } },
    ],
    [
      { event: 'progress', jobId: '7', data: '40' },
      { kind: 'progress', job: '7', data: { progress: 40 } },
    ],
    [
      { event: 'progress', jobId: '7', data: '{"card":"4111"}' },
      { kind: 'progress', job: '7' },
    ],
    [
      { event: 'removed', jobId: '7', prev: 'completed' },
      { kind: 'removed', job: '7', data: { prev: 'completed' } },
    ],
    [
      { event: 'waiting-children', jobId: '7' },
      { kind: 'waiting-children', job: '7' },
    ],
    [
      { event: 'duplicated', jobId: '7' },
      { kind: 'duplicated', job: '7' },
    ],
    [
      { event: 'deduplicated', jobId: '7', deduplicationId: 'd' },
      { kind: 'duplicated', job: '7' },
    ],
    [{ event: 'drained' }, { kind: 'drained' }],
    [{ event: 'paused' }, { kind: 'paused' }],
    [{ event: 'cleaned', count: '5' }, { kind: 'cleaned' }],
  ])('%j', (fields, expected) => {
    expect(event(fields)).toEqual({ ...common, ...expected });
  });

  test('prefix only where it is not the usual one; deleted where it was', () => {
    const name = { prefix: '{eu}', queue: 'mail' };
    expect(event({ event: 'stalled', jobId: '7' }, { name, deleted: true })).toEqual({
      ...common,
      ...{ kind: 'stalled', job: '7', prefix: '{eu}', data: { deleted: true } },
    });
  });

  test.each([
    { event: 'my-event', jobId: '7' },
    { event: 'constructor', jobId: '7' },
    { event: 'active' },
    { jobId: '7' },
    {},
  ])('no evidence: %j', (fields) => {
    expect(event(fields)).toBeUndefined();
  });

  test('a long reason is cut, on one line, and not within a character', () => {
    const text = event({ event: 'failed', jobId: '7', failedReason: `first\n   second ${'😀'.repeat(400)}` })?.data
      ?.text;
    expect(text?.length).toBeLessThanOrEqual(300);
    expect(text?.startsWith('first second 😀')).toBe(true);
    expect(Buffer.from(text ?? '', 'utf8').toString('utf8')).toBe(text);
    expect(oneLine('a\r\nb')).toBe('a b');
  });
});

describe('progress', () => {
  test.each([
    ['42', 42],
    ['"42"', 42],
    ['"42.5%"', 42.5],
    ['0', 0],
    ['{"percent":10,"step":"x"}', 10],
    ['{"progress":"55"}', 55],
    ['{"step":"render-pages"}', 'render-pages'],
    ['{"checkpoint":"page:12","note":"for Ann"}', 'page:12'],
    ['{"stage":2}', 2],
    ['"uploading"', 'uploading'],
  ])('%s', (json, expected) => {
    expect(progressOf(json)).toBe(expected);
  });

  test.each([
    '',
    'null',
    'true',
    '{}',
    '[]',
    '[50]',
    '{"step":{"card":"4111"}}',
    '"a sentence about Ann"',
    '"ann@example.org"',
    '{"percent":null}',
    `"${'x'.repeat(41)}"`,
    '{not json',
  ])('nothing from %s', (json) => {
    expect(progressOf(json)).toBeUndefined();
  });

  test('never more than a number or a short word', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const found = progressOf(json);
        if (typeof found === 'string') expect(found.length).toBeLessThanOrEqual(40);
        else expect(['number', 'undefined']).toContain(typeof found);
      }),
    );
  });
});
