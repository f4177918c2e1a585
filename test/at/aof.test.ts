/** Answers from append-only files, written down before the program was asked. */
import { describe, expect, it } from 'vitest';
import { aof, command } from '../redis/aof-bytes.js';
import { listpack, rdb, str } from '../redis/rdb/write-rdb.js';
import { A, ask, B, T } from './ask.js';

const ADD = `
  SELECT 0
  MULTI
  INCR bull:q:id
  HMSET bull:q:7 name send data {} opts {} timestamp ${T + 95} delay 0 priority 0
  XADD bull:q:events ${T + 100}-0 event added jobId 7 name send
  LPUSH bull:q:wait 7
  ZADD bull:q:marker 0 0
  XADD bull:q:events ${T + 100}-1 event waiting jobId 7
  EXEC`;
const activate = (ms: number, token: string) => `
  MULTI
  RPOPLPUSH bull:q:wait bull:q:active
  SET bull:q:7:lock ${token} PXAT ${T + ms + 1000}
  XADD bull:q:events ${T + ms}-0 event active jobId 7 prev waiting
  HMSET bull:q:7 processedOn ${T + ms - 3} pb one
  HINCRBY bull:q:7 ats 1
  EXEC`;
const SWEEPS = `
  MULTI
  SET bull:q:stalled-check ${T + 1500} PXAT ${T + 3500}
  SADD bull:q:stalled 7
  EXEC
  XADD bull:q:events ${T + 1600}-0 event progress jobId 9 data 1
  MULTI
  DEL bull:q:7:lock
  SET bull:q:stalled-check ${T + 3500} PXAT ${T + 5500}
  DEL bull:q:stalled
  LREM bull:q:active 1 7
  HINCRBY bull:q:7 stc 1
  RPUSH bull:q:wait 7
  XADD bull:q:events ${T + 3500}-0 event waiting jobId 7 prev active
  XADD bull:q:events ${T + 3500}-1 event stalled jobId 7
  EXEC`;
const FINISH = `
  MULTI
  DEL bull:q:7:lock
  LREM bull:q:active -1 7
  HINCRBY bull:q:7 atm 1
  ZADD bull:q:completed ${T + 3790} 7
  HSET bull:q:7 returnvalue "ok" finishedOn ${T + 3790}
  XADD bull:q:events ${T + 3800}-0 event completed jobId 7 returnvalue "ok" prev active
  EXEC`;
const WHOLE = ADD + activate(200, A) + SWEEPS + activate(3600, B) + FINISH;
const LATER = `\nXADD bull:q:events ${T + 9000}-0 event progress jobId 9 data 1`;

describe('an append-only file', () => {
  it('answers for every stage of a job that stalled once', async () => {
    const [before, waiting, first, expired, taken, second, done] = await ask(
      { 'appendonly.aof': aof(WHOLE + LATER) },
      'q:7',
      ...[100, 150, 700, 1300, 3550, 3700, 4000],
    );
    expect(waiting?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(waiting?.of('GET')).toBe('(nil)');
    expect(waiting?.of('PTTL')).toBe('(integer) -2');
    expect(waiting?.of('HGET bull:q:7 ats')).toBe('(nil)');
    expect(waiting?.of('HGET bull:q:7 timestamp')).toBe(`"${T + 95}"`);
    // The entry of this very millisecond counts.
    expect(before?.of('EXISTS')).toBe('(integer) 1');

    expect(first?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(first?.of('GET')).toBe(`"${A}"`);
    expect(first?.of('PTTL')).toBe('(integer) 500');
    expect(first?.of('HGET bull:q:7 processedOn')).toBe(`"${T + 197}"`);
    expect(first?.of('HGET bull:q:7 pb')).toBe('"one"');
    expect(first?.of('HGET bull:q:7 atm')).toBe('(nil)');

    expect(expired?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(expired?.of('GET')).toBe('(nil)');
    expect(taken?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(taken?.of('HGET bull:q:7 stc')).toBe('"1"');
    expect(taken?.of('SISMEMBER')).toBe('(integer) 0');

    expect(second?.of('GET')).toBe(`"${B}"`);
    expect(second?.of('PTTL')).toBe('(integer) 900');
    expect(second?.of('HGET bull:q:7 ats')).toBe('"2"');
    expect(second?.of('HGET bull:q:7 finishedOn')).toBe('(nil)');

    expect(done?.of('ZRANGE bull:q:completed')).toBe('… "7" …');
    expect(done?.of('GET')).toBe('(nil)');
    expect(done?.of('HGET bull:q:7 atm')).toBe('"1"');
    expect(done?.of('HGET bull:q:7 finishedOn')).toBe(`"${T + 3790}"`);
  });

  it('cites the command that each answer rests on', async () => {
    const file = aof(WHOLE + LATER);
    const [at] = await ask({ 'appendonly.aof': file }, 'q:7', 3700);
    const cited = (question: string) => file.toString('latin1', at?.offsetOf(question)).split('\r\n').slice(2, 7);
    expect(cited('GET')).toEqual(['SET', '$13', 'bull:q:7:lock', '$38', B]);
    expect(cited('HGET bull:q:7 ats').slice(0, 3)).toEqual(['HINCRBY', '$8', 'bull:q:7']);
    expect(cited('LRANGE')[0]).toBe('RPOPLPUSH');
  });

  it('holds to the last millisecond of a lock, as Redis does', async () => {
    const [last, over] = await ask({ 'appendonly.aof': aof(WHOLE + LATER) }, 'q:7', 1200, 1201);
    expect(last?.of('PTTL')).toBe('(integer) 0');
    expect(over?.of('PTTL')).toBe('(integer) -2');
  });

  it('does not say on which side of a moment a command without a time lies', async () => {
    // The sweep at 1500 has no entry, and its interval is learned only from the one at 3500.
    const [open, marked] = await ask({ 'appendonly.aof': aof(WHOLE + LATER) }, 'q:7', 1400, 1650);
    expect(open?.of('SISMEMBER')).toMatch(/^\? a command .* no time of its own .* between .*07\.200Z and .*08\.600Z/);
    expect(marked?.of('SISMEMBER')).toBe('(integer) 1');
  });

  it('knows nothing before its first time and after its last', async () => {
    const [early, late] = await ask({ 'appendonly.aof': aof(WHOLE) }, 'q:7', 50, 5000);
    expect(early?.of('GET')).toMatch(/^\? .*begins later, at .*07\.100Z; an AOF, or a MONITOR capture/);
    expect(late?.of('LRANGE')).toBe('not asked');
    expect(late?.of('the list or set')).toMatch(/^\? .*ends before this moment, at .*10\.800Z/);
  });

  it('a part of a log tells only what its own commands settle', async () => {
    const [at] = await ask({ 'x.aof': aof(activate(200, A) + LATER) }, 'q:7', 300);
    expect(at?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(at?.of('GET')).toBe(`"${A}"`);
    expect(at?.of('HGET bull:q:7 processedOn')).toBe(`"${T + 197}"`);
    expect(at?.of('HGET bull:q:7 ats')).toMatch(/^\? it was counted up from a value that is not in the log/);
    expect(at?.of('HGET bull:q:7 atm')).toMatch(/^\? .*does not hold what was there before it begins/);
    expect(at?.of('SISMEMBER')).toMatch(/^\?/);
  });

  it('forgets nothing but what may have changed where bytes are missing', async () => {
    const broken = Buffer.concat([aof(ADD + activate(200, A)), Buffer.from('garbage\r\n'), aof(LATER)]);
    const [kept, lost] = await ask({ 'appendonly.aof': broken }, 'q:7', 200, 8000);
    expect(kept?.of('GET')).toMatch(/^\?/);
    expect(lost?.of('GET')).toMatch(/^\? commands are missing/);
  });

  it('up to BullMQ 4 a job is popped by a command that does not name it', async () => {
    const pop = `
      XADD bull:q:events ${T + 300}-0 event progress jobId 9 data 1
      RPOPLPUSH bull:q:wait bull:q:active
      XADD bull:q:events ${T + 400}-0 event progress jobId 9 data 1
      MULTI
      SET bull:q:7:lock ${A} PXAT ${T + 1500}
      XADD bull:q:events ${T + 500}-0 event active jobId 7 prev waiting
      HSET bull:q:7 processedOn ${T + 499}
      HINCRBY bull:q:7 attemptsMade 1
      EXEC`;
    const [waiting, open, active] = await ask({ 'appendonly.aof': aof(ADD + pop + LATER) }, 'q:7', 250, 450, 600);
    expect(waiting?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(open?.of('the list or set')).toMatch(/^\? rpoplpush took ids out of wait, and the log does not say which/);
    expect(active?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(active?.of('HGET bull:q:7 attemptsMade')).toBe('"1"');
    expect(active?.of('HGET bull:q:7 ats')).toBe('not asked');
  });

  it('says that a job is gone, with retention and by hand', async () => {
    const removedWithIt = FINISH.replace(
      'EXEC',
      `ZREMRANGEBYRANK bull:q:completed 0 -1\nDEL bull:q:7 bull:q:7:logs bull:q:7:dependencies\nEXEC`,
    );
    const later = `
      XADD bull:q:events ${T + 5000}-0 event progress jobId 9 data 1
      MULTI
      DEL bull:q:7 bull:q:7:logs
      ZREMRANGEBYSCORE bull:q:completed -inf ${T + 4000}
      XADD bull:q:events ${T + 6000}-0 event cleaned count 1
      EXEC`;
    for (const [log, ms] of [
      [WHOLE.replace(FINISH, removedWithIt), 4000],
      [WHOLE + later, 6500],
    ] as const) {
      const [at] = await ask({ 'appendonly.aof': aof(log + LATER) }, 'q:7', ms);
      expect(at?.of('EXISTS')).toBe('(integer) 0');
      expect(at?.of('the list or set')).toBe('none');
      expect(at?.of('HGET ')).toBe('not asked');
    }
    // Retention of others leaves it where it is.
    const others = later.replaceAll('bull:q:7', 'bull:q:6');
    const [kept] = await ask({ 'appendonly.aof': aof(WHOLE + others + LATER) }, 'q:7', 6500);
    expect(kept?.of('ZRANGE bull:q:completed')).toBe('… "7" …');
    // A person who cuts a set by rank may have meant it.
    const cut = `\nzremrangebyrank bull:q:completed 0 3\nXADD bull:q:events ${T + 5000}-0 event progress jobId 9 data 1\n`;
    const [open] = await ask({ 'appendonly.aof': aof(WHOLE + cut + LATER) }, 'q:7', 6500);
    expect(open?.of('the list or set')).toMatch(/^\? zremrangebyrank took ids out of completed/);
  });

  it('a command it does not know makes its key unclear, and that key alone', async () => {
    const odd = `\nMULTI\nRESTORE bull:q:7 0 xxx\nXADD bull:q:events ${T + 4500}-0 event progress jobId 9 data 1\nEXEC\n`;
    const [at] = await ask({ 'appendonly.aof': aof(WHOLE + odd + LATER) }, 'q:7', 5000);
    expect(at?.of('EXISTS')).toMatch(/^\? the log does not show what restore did to it/);
    expect(at?.of('ZRANGE bull:q:completed')).toBe('… "7" …');
  });

  it('FLUSHDB empties its own database only', async () => {
    const flush = (db: number) =>
      `\nSELECT ${db}\nflushdb\nSELECT 0\nXADD bull:q:events ${T + 5000}-0 event progress jobId 9 data 1\n`;
    const [same] = await ask({ 'appendonly.aof': aof(WHOLE + flush(0) + LATER) }, 'q:7', 6000);
    const [other] = await ask({ 'appendonly.aof': aof(WHOLE + flush(3) + LATER) }, 'q:7', 6000);
    expect(same?.of('EXISTS')).toBe('(integer) 0');
    expect(other?.of('EXISTS')).toBe('(integer) 1');
  });

  it('leaves data, results and payloads out', async () => {
    const write = `
      MULTI
      HSET bull:q:7 progress {"secret":1} data {"secret":2}
      XADD bull:q:events ${T + 4500}-0 event progress jobId 7 data {"secret":1}
      EXEC`;
    const [at] = await ask({ 'appendonly.aof': aof(WHOLE + write + LATER) }, 'q:7', 5000);
    expect(at?.of('HGET bull:q:7 progress')).toBe('set, and left out of this report');
    expect(JSON.stringify(at?.at)).not.toContain('secret');
  });
});

describe('what stood before the commands', () => {
  const hash = [0xfe, 0, 4, str('bull:q:7')] as const;
  const fields = (...values: string[]) => Buffer.concat([Buffer.from([values.length / 2]), ...values.map(str)]);
  const JOB = fields(
    'name',
    'send',
    'data',
    '{}',
    'opts',
    '{}',
    'timestamp',
    `${T}`,
    'delay',
    '0',
    'ats',
    '1',
    'atm',
    '1',
  );
  const saved = (...parts: (number | Uint8Array)[]) =>
    rdb('REDIS0010', 0xfa, str('ctime'), str(`${(T - 5000) / 1000}`), ...parts);
  const MEMBER = [1, str('bull:q:wait'), 1, str('7')] as const;

  it('comes from the base beside the increment', async () => {
    const files = {
      'appendonlydir/appendonly.aof.1.base.rdb': saved(...hash, JOB, ...MEMBER),
      'appendonlydir/appendonly.aof.1.incr.aof': aof(`SELECT 0${activate(200, A)}${LATER}`),
    };
    const [between, after] = await ask(files, 'q:7', -1000, 300);
    expect(between?.of('LRANGE bull:q:wait')).toBe('… "7" …');
    expect(between?.of('HGET bull:q:7 ats')).toBe('"1"');
    expect(after?.of('LRANGE bull:q:active')).toBe('… "7" …');
    expect(after?.of('HGET bull:q:7 ats')).toBe('"2"');
    expect(after?.of('HGET bull:q:7 atm')).toBe('"1"');
    expect(after?.of('HGET bull:q:7 stc')).toBe('(nil)');
  });

  it('is not known where the increment stands alone', async () => {
    const alone = { 'appendonlydir/appendonly.aof.1.incr.aof': aof(`SELECT 0${activate(200, A)}${LATER}`) };
    const [at] = await ask(alone, 'q:7', 300);
    expect(at?.of('HGET bull:q:7 ats')).toMatch(/^\?/);
    expect(at?.of('GET')).toBe(`"${A}"`);
  });

  it('comes from the preamble of the same file', async () => {
    const preamble = saved(0xfa, str('aof-preamble'), 0xc0, 1, ...hash, JOB, ...MEMBER);
    const [at] = await ask(
      { 'appendonly.aof': Buffer.concat([preamble, aof(`SELECT 0${activate(200, A)}${LATER}`)]) },
      'q:7',
      300,
    );
    expect(at?.of('HGET bull:q:7 ats')).toBe('"2"');
  });

  it('a log rewritten as commands begins with a state, not with a history', async () => {
    const head = `
      SELECT 0
      HMSET bull:q:7 name send data {} opts {} timestamp ${T} ats 1 atm 1 finishedOn ${T + 3790}
      ZADD bull:q:completed ${T + 3790} 7
      XADD bull:q:events ${T + 100}-0 event added jobId 7 name send
      XADD bull:q:events ${T + 200}-0 event active jobId 7 prev waiting
      XADD bull:q:events ${T + 3800}-0 event completed jobId 7 prev active
      XSETID bull:q:events ${T + 3800}-0
      MULTI
      INCR bull:q:id
      XADD bull:q:events ${T + 8000}-0 event added jobId 8 name send
      EXEC
      ${LATER}`;
    const [within, after] = await ask({ 'appendonly.aof': aof(head) }, 'q:7', 300, 8500);
    // The stream tells the state then; the commands are of later.
    expect(within?.of('HGET ')).toBe('not asked');
    expect(within?.of('HGETALL')).toMatch(/^\?/);
    expect(within?.of('GET')).toMatch(/^\?/);
    expect(after?.of('ZRANGE bull:q:completed')).toBe('… "7" …');
    expect(after?.of('HGET bull:q:7 atm')).toBe('"1"');
  });

  it('a hash packed in a listpack is read as well', async () => {
    const packed = listpack('name', 'send', 'data', '{}', 'opts', '{}', 'timestamp', `${T}`, 'stc', 2);
    const files = {
      'appendonlydir/a.aof.1.base.rdb': saved(0xfe, 0, 16, str('bull:q:7'), str(packed)),
      'appendonlydir/a.aof.1.incr.aof': aof(`SELECT 0\n${LATER}`),
    };
    const [at] = await ask(files, 'q:7', 8000);
    expect(at?.of('HGET bull:q:7 stc')).toBe('"2"');
  });

  it('arguments too long to keep leave no field out', async () => {
    const huge = Buffer.concat([
      aof('SELECT 0\nMULTI'),
      command(
        'HMSET',
        'bull:q:7',
        'name',
        'send',
        'data',
        'x'.repeat(400_000),
        'opts',
        '{}',
        'timestamp',
        T,
        'delay',
        5,
      ),
      aof(`XADD bull:q:events ${T + 100}-0 event added jobId 7 name send\nEXEC\n${LATER}`),
    ]);
    const [at] = await ask({ 'appendonly.aof': huge }, 'q:7', 200);
    expect(at?.of('HGET bull:q:7 delay')).toBe('"5"');
    expect(at?.of('HGET bull:q:7 ats')).toBe('(nil)');
  });
});
