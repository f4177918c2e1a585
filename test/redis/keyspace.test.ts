import { describe, expect, test } from 'vitest';
import { guessJobKey, parseQueueKey, type RedisType, splitBase, splitJobKey } from '../../src/redis/keyspace.js';

describe('what a key is', () => {
  test.each<[string, RedisType, object]>([
    ['bull:mail:wait', 'list', { what: 'set', base: 'bull:mail', set: 'wait' }],
    ['bull:mail:paused', 'list', { what: 'set', base: 'bull:mail', set: 'paused' }],
    ['bull:mail:active', 'list', { what: 'set', base: 'bull:mail', set: 'active' }],
    ['bull:mail:delayed', 'zset', { what: 'set', base: 'bull:mail', set: 'delayed' }],
    ['bull:mail:prioritized', 'zset', { what: 'set', base: 'bull:mail', set: 'prioritized' }],
    ['bull:mail:completed', 'zset', { what: 'set', base: 'bull:mail', set: 'completed' }],
    ['bull:mail:failed', 'zset', { what: 'set', base: 'bull:mail', set: 'failed' }],
    ['bull:mail:waiting-children', 'zset', { what: 'set', base: 'bull:mail', set: 'waiting-children' }],
    ['bull:mail:stalled', 'set', { what: 'set', base: 'bull:mail', set: 'stalled' }],
    ['bull:mail:events', 'stream', { what: 'events', base: 'bull:mail' }],
    ['bull:mail:meta', 'hash', { what: 'meta', base: 'bull:mail' }],
    ['bull:mail:stalled-check', 'string', { what: 'value', base: 'bull:mail', name: 'stalled-check' }],
    ['bull:mail:meta-paused', 'string', { what: 'value', base: 'bull:mail', name: 'meta-paused' }],
    ['bull:mail:17', 'hash', { what: 'job', jobKey: 'bull:mail:17' }],
    ['bull:mail:17:lock', 'string', { what: 'lock', jobKey: 'bull:mail:17' }],
    ['{app}:mail:17:lock', 'string', { what: 'lock', jobKey: '{app}:mail:17' }],
    ['eu:{app}:mail:wait', 'list', { what: 'set', base: 'eu:{app}:mail', set: 'wait' }],
    [
      'bull:mail:repeat:nightly:1700000000000',
      'hash',
      { what: 'job', jobKey: 'bull:mail:repeat:nightly:1700000000000' },
    ],
    [
      'bull:mail:repeat:a:b:1700000000000:lock',
      'string',
      { what: 'lock', jobKey: 'bull:mail:repeat:a:b:1700000000000' },
    ],
    // Queues and ids with names that mean something elsewhere.
    ['bull:metrics:completed', 'zset', { what: 'set', base: 'bull:metrics', set: 'completed' }],
    ['bull:mail:repeat:nightly', 'hash', { what: 'scheduler', base: 'bull:mail', id: 'nightly' }],
    ['bull:repeat:17', 'hash', { what: 'job', jobKey: 'bull:repeat:17' }],
    ['bull:lock:lock:lock', 'string', { what: 'lock', jobKey: 'bull:lock:lock' }],
    ['bull:mail:wait', 'hash', { what: 'job', jobKey: 'bull:mail:wait' }],
  ])('%s (%s)', (key, type, expected) => {
    expect(parseQueueKey(key, type)).toEqual(expected);
  });

  test.each<[string, RedisType]>([
    ['bull:mail:marker', 'zset'],
    ['bull:mail:pc', 'string'],
    ['bull:mail:de:once', 'string'],
    ['bull:mail:dn:once', 'hash'],
    ['bull:mail:repeat', 'zset'],
    ['bull:mail:repeat:nightly:at:six', 'hash'],
    ['bull:mail:metrics:completed', 'hash'],
    ['bull:mail:metrics:completed:data', 'list'],
    ['bull:mail:17:logs', 'list'],
    ['bull:mail:17:dependencies', 'set'],
    ['bull:mail:17:processed', 'hash'],
    ['bull:mail:17:failed', 'hash'],
    ['bull:mail:17:unsuccessful', 'zset'],
    ['bull::relay:{ns}:events', 'stream'],
    ['bull::relay:{ns}:meta', 'hash'],
    ['bull::wait', 'list'],
    ['mail:wait', 'list'],
    ['wait', 'list'],
    [':wait', 'list'],
    ['mail:lock', 'string'],
    ['orders:lock', 'string'],
    ['orders:17:lock', 'string'],
    ['idem:order:17', 'string'],
    ['bull:mail:17', 'string'],
    ['bull:mail:active', 'zset'],
    ['bull:mail:events', 'list'],
    ['session:17', 'hash'],
    ['', 'hash'],
    [':', 'hash'],
  ])('not of a queue, or silent: %s (%s)', (key, type) => {
    expect(parseQueueKey(key, type)).toBeUndefined();
  });
});

describe('cutting a key', () => {
  const queues =
    (...known: string[]) =>
    (base: string) =>
      known.includes(base);

  test.each([
    ['bull:mail:17', [], { base: 'bull:mail', job: '17' }],
    ['bull:mail:a:b', [], undefined],
    ['bull:mail:a:b', ['bull:mail'], { base: 'bull:mail', job: 'a:b' }],
    ['eu:bull:mail:17', ['eu:bull:mail'], { base: 'eu:bull:mail', job: '17' }],
    ['a:b:c:17', ['a:b', 'a:b:c'], { base: 'a:b:c', job: '17' }],
    ['bull:mail:repeat:x:1700000000000', [], { base: 'bull:mail', job: 'repeat:x:1700000000000' }],
    ['eu:bull:mail:repeat:x:y:1700000000000', [], { base: 'eu:bull:mail', job: 'repeat:x:y:1700000000000' }],
  ])('%s, knowing %j', (key, known, expected) => {
    expect(splitJobKey(key, queues(...known))).toEqual(expected);
  });

  test.each([
    ['bull:mail:a:b', undefined, { base: 'bull:mail', job: 'a:b' }],
    ['eu:app:mail:17', undefined, { base: 'eu:app:mail', job: '17' }],
    ['eu:app:mail:a:b', 'eu:app', { base: 'eu:app:mail', job: 'a:b' }],
  ])('guess for %s with prefix %s', (key, prefix, expected) => {
    expect(guessJobKey(key, prefix)).toEqual(expected);
  });

  test.each([
    ['bull:mail', undefined, { prefix: 'bull', queue: 'mail' }],
    ['eu:{app}:mail', undefined, { prefix: 'eu:{app}', queue: 'mail' }],
    ['bull:old:name', 'bull', { prefix: 'bull', queue: 'old:name' }],
    ['other:mail', 'bull', { prefix: 'other', queue: 'mail' }],
  ])('queue of %s with prefix %s', (base, prefix, expected) => {
    expect(splitBase(base, prefix)).toEqual(expected);
  });
});
