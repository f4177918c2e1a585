/**
 * BullMQ 1 to 4, whose packages cannot be run here: what their scripts write, by hand after their sources (1.91.1, 3.16.2,
 * 4.18.3) and an append-only file observed with 3.16.2.
 */
import { describe, expect, test } from 'vitest';
import { aofReader } from '../../src/redis/aof/aof-reader.js';
import { transcriptReader } from '../../src/redis/dumps/transcript/transcript-reader.js';
import { aof } from './aof-bytes.js';
import { collect } from './collect.js';
import { toldLines } from './dumps/told-lines.js';

const T = 1_705_314_600_000;
/** Until 3.3.5 a token is a bare uuid, a new one for each fetch. */
const BARE = '99de46a1-1f60-4faf-8c76-55ce518e8ddf';
const at = (ms: number): string => new Date(T + ms).toISOString();
/** Clocks of workers are tested elsewhere. */
const told = async (text: string) =>
  toldLines(await collect(aofReader, aof(text))).filter((line) => !line.startsWith('clock'));

describe('an append-only file', () => {
  test('a fetch by the client, the lock in a transaction of its own, a renewal, a finish', async () => {
    expect(
      await told(`
        SELECT 0
        MULTI
        INCR bull:q:id
        HMSET bull:q:1 name n data {} opts {"delay":0,"attempts":0} timestamp ${T} delay 0 priority 0
        XADD bull:q:events ${T + 1}-0 event added jobId 1 name n data {} opts {}
        LPUSH bull:q:wait 1
        XADD bull:q:events MAXLEN = 2 ${T + 1}-1 event waiting jobId 1
        EXEC
        RPOPLPUSH bull:q:wait bull:q:active
        MULTI
        SET bull:q:1:lock ${BARE} PXAT ${T + 30_005}
        XADD bull:q:events ${T + 5}-0 event active jobId 1 prev waiting
        HSET bull:q:1 processedOn ${T + 4}
        HINCRBY bull:q:1 attemptsMade 1
        EXEC
        XADD bull:q:delay ${T + 6}-0 nextTimestamp ${T + 9000}
        MULTI
        SET bull:q:1:lock ${BARE} PXAT ${T + 45_005}
        EXEC
        HMSET bull:q:1 stacktrace [] failedReason boom
        MULTI
        DEL bull:q:1:lock
        LREM bull:q:active -1 1
        ZADD bull:q:completed ${T + 20_000} 1
        HMSET bull:q:1 returnvalue null finishedOn ${T + 20_000}
        XADD bull:q:events ${T + 20_001}-0 event completed jobId 1 returnvalue null
        EXEC`),
    ).toEqual(
      [
        `event q 1 added ${at(1)}-0`,
        `event q 1 waiting ${at(1)}-1`,
        `event q 1 lock-set ${at(5)}-11 token=${BARE}`,
        `event q 1 active ${at(5)}-0 token=${BARE}`,
        `event q 1 lock-renewed ${at(15_005)}-18 token=${BARE}`,
        `event q 1 lock-released ${at(20_001)}-22 token=${BARE}`,
        `event q 1 completed ${at(20_001)}-0 token=${BARE}`,
        'meta q lockDuration=30000',
      ].sort(),
    );
  });

  test('a sweep over the limit fails the job itself', async () => {
    expect(
      await told(`
        MULTI
        SET bull:q:stalled-check ${T} PXAT ${T + 30_001}
        DEL bull:q:stalled
        LREM bull:q:active 1 1
        HINCRBY bull:q:1 stalledCounter 1
        ZADD bull:q:failed ${T} 1
        HMSET bull:q:1 failedReason stalled finishedOn ${T}
        XADD bull:q:events ${T + 1}-0 event failed jobId 1 prev active failedReason stalled
        EXEC`),
    ).toEqual([`event q - sweep ${at(1)}-2`, `event q 1 failed ${at(1)}-0`, 'meta q stalledInterval=30000'].sort());
  });
});

describe('keys', () => {
  const keys = (text: string) => collect(transcriptReader, Buffer.from(text)).then(toldLines);

  test('markers in wait are no jobs', async () => {
    const text = '$ redis-cli LRANGE bull:q:wait 0 -1\n1) "0:1705314700000"\n2) "0:0"\n3) "7"\n';
    expect(await keys(text)).toEqual(['member q wait 7']);
  });

  test.each([
    // Up to 4: attemptsMade counts activations; 5.0 to 5.48: ats and atm beside stalledCounter; then stc.
    ['1 to 4', { attemptsMade: '2', stalledCounter: '1' }, 'attemptsStarted=2 stalledCounter=1 maxAttempts=0'],
    [
      '5.0',
      { ats: '2', atm: '1', stalledCounter: '1' },
      'attemptsStarted=2 attemptsMade=1 stalledCounter=1 maxAttempts=0',
    ],
    ['5.49', { ats: '2', atm: '1', stc: '1' }, 'attemptsStarted=2 attemptsMade=1 stalledCounter=1 maxAttempts=0'],
  ])('%s', async (_version, counters, expected) => {
    const hash = { name: 'n', data: '{}', opts: '{"delay":0,"attempts":0}', timestamp: String(T), ...counters };
    const text = `$ redis-cli --json HGETALL bull:q:7\n${JSON.stringify(hash)}\n`;
    expect(await keys(text)).toEqual([`job q 7 name=n timestamp=${T} ${expected}`]);
  });
});
