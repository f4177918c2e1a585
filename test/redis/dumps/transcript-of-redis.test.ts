/** Transcripts by the real redis-cli of a queue that real BullMQ worked on: they must tell what the RDB of the server tells. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcriptReader } from '../../../src/redis/dumps/transcript/transcript-reader.js';
import { rdbReader } from '../../../src/redis/rdb-reader.js';
import { collect } from '../collect.js';
import { describeWithRedis, type RunningRedis } from '../with-redis.js';
import { AWKWARD, type BusyQueue, busyQueue } from './busy-queue.js';
import { hasScript, redisCli, typescript } from './redis-cli.js';
import { type Told, told } from './told.js';

const READS: Readonly<Record<string, (key: string) => string[]>> = {
  string: (key) => ['GET', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  hash: (key) => ['HGETALL', key],
  stream: (key) => ['XRANGE', key, '-', '+'],
};

/** Everything that the server holds, asked with the right commands. */
async function questions({ client }: RunningRedis): Promise<string[][]> {
  const keys = (await client.keys('*')).sort();
  const asked: string[][] = [];
  for (const key of keys) {
    const type = await client.type(key);
    const read = READS[type]?.(key);
    if (read) asked.push(read);
    if (key.endsWith(':lock')) asked.push(['PEXPIRETIME', key]);
    if (type === 'stream') asked.push(['XINFO', 'STREAM', key]);
  }
  return asked;
}

const quoted = (word: string): string => (/^[\w:*+.-]+$/.test(word) ? word : `"${word}"`);

for (const [name, prefix, multiline] of [
  ['one-line texts', 'bull', false],
  ['awkward texts under another prefix', '{eu}:app', true],
] as const) {
  describeWithRedis(`a transcript, ${name}`, [], (redis) => {
    let busy: BusyQueue | undefined;
    let asked: string[][] = [];
    let expected: Told = { facts: [], events: [] };

    beforeAll(async () => {
      busy = await busyQueue(redis(), prefix, multiline);
      asked = await questions(redis());
      expected = told(await collect(rdbReader, await redis().save()));
      expect(expected.facts.length).toBeGreaterThan(40);
      expect(expected.events.length).toBeGreaterThan(40);
    });
    afterAll(() => busy?.close());

    /** The transcript in which each command is echoed by `echo` and answered as `flags` ask. */
    async function transcript(flags: readonly string[], echo: (command: string) => string): Promise<Buffer> {
      let text = '';
      for (const command of asked) {
        text += `${echo(command.map(quoted).join(' '))}\n${await redisCli(redis().port, flags, command)}`;
      }
      return Buffer.from(text);
    }

    test.each([
      ['prompt', ['--no-raw'], (command: string) => `127.0.0.1:6379> ${command}`],
      ['prompt, RESP3', ['--no-raw', '-3'], (command: string) => `redis.internal:6379> ${command}`],
      ['shell, copied from a terminal', ['--no-raw'], (command: string) => `ops@db-1:~$ redis-cli -h db ${command}`],
      ['--csv', ['--csv'], (command: string) => `$ redis-cli --csv ${command}`],
      ['--json', ['--json'], (command: string) => `$ docker exec -it redis redis-cli --json ${command}`],
      ['--quoted-json', ['--quoted-json'], (command: string) => `redis-cli --quoted-json ${command}`],
      ['headings above CSV', ['--csv'], (command: string) => `# ${command}`],
      ['headings above JSON', ['--json'], (command: string) => `\n# ${command}`],
      ['bare prompt', ['--no-raw'], (command: string) => `> ${command}`],
    ] as const)('%s', async (_name, flags, echo) => {
      const source = await transcript(flags, echo);
      expect(transcriptReader.detect(source.subarray(0, 65_536), 'x.txt')).toMatchObject({ score: 0.95 });
      const found = await collect(transcriptReader, source);
      expect(found.report.damage).toEqual([]);
      expect(told(found)).toEqual(expected);
      expect(found.report.records).toBe(asked.length + found.events.length);
      expect(found.report.understood).toBe(found.report.records);
      expect(JSON.stringify([found.facts, found.events])).not.toMatch(/private|xxxxx|forged:1","offset/);
      for (const { offset, t, line } of found.events) {
        const from = source.toString('latin1', offset, source.indexOf('\n', offset));
        expect(from).toContain(`"${t}-${line}"`);
      }
      const crlf = Buffer.from(source.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
      expect(told(await collect(transcriptReader, crlf))).toEqual(expected);
    });

    test.each([
      ['--raw', ['--raw'], (command: string) => `$ redis-cli --raw ${command}`],
      ['written to a file', [], (command: string) => `+ redis-cli ${command}`],
    ] as const)('%s: what is ambiguous is left out and said', async (_name, flags, echo) => {
      const found = await collect(transcriptReader, await transcript(flags, echo));
      const { facts, events } = told(found);
      if (!multiline) {
        expect(found.report.damage).toEqual([]);
        expect({ facts, events }).toEqual(expected);
        return;
      }
      const isAwkward = (text: string) => text.includes('boom');
      expect(expected.facts.filter(isAwkward)).toHaveLength(1);
      expect(facts).toEqual(expected.facts.filter((text) => !isAwkward(text)));
      expect(events).toEqual(expected.events.filter((text) => !isAwkward(text)));
      expect(found.report.damage.map(({ what }) => what).sort()).toEqual([
        `the answer of HGETALL ${prefix}:mail:order-17 was not used: fields cannot be told from values, as a value holds line breaks or the end is missing; --no-raw or --json would have shown them apart`,
        `the answer of XRANGE ${prefix}:mail:events - + was not used: 1 of ${events.filter((text) => text.includes('"mail"')).length + 1} entries cannot be told apart, as values hold line breaks or are cut off; --no-raw or --json would have shown them`,
      ]);
    });

    test('a transaction is answered at its end', async () => {
      const { port, client } = redis();
      const lock = `${prefix}:mail:holds:lock`;
      const commands = ['MULTI', `GET ${lock}`, `LRANGE ${prefix}:mail:active 0 -1`, 'EXEC'];
      const text = `127.0.0.1:${port}> MULTI\nOK\n127.0.0.1:${port}(TX)> ${commands[1]}\nQUEUED\n127.0.0.1:${port}(TX)> ${commands[2]}\nQUEUED\n127.0.0.1:${port}(TX)> EXEC\n1) "${await client.get(lock)}"\n2) 1) "holds"\n127.0.0.1:${port}> `;
      const { facts } = await collect(transcriptReader, Buffer.from(text));
      const job = { prefix, queue: 'mail', job: 'holds' };
      // The member shows the queue, by which the lock's key is cut.
      expect(facts).toMatchObject([
        { type: 'member', set: 'active', ...job },
        { type: 'lock', token: await client.get(lock), ...job },
      ]);
    });

    describe.skipIf(!hasScript)('typed at a terminal', () => {
      test.each(['dumb', 'xterm'])('TERM=%s', async (term) => {
        const { client, port } = redis();
        const other = client.duplicate({ db: 3 });
        await other.set('bull:other:7:lock', 'token-of-db-3:1');
        const base = `${prefix}:mail`;
        const recorded = await typescript(port, term, [
          'TIME',
          `LRANGE ${base}:active 0 -1`,
          `GET ${base}:holds:lock`,
          `PTTL ${base}:holds:lock`,
          `HGETALL ${base}:order-17`,
          `ZRANGE ${base}:active 0 -1`,
          `HGET ${base}:holds locktoken`,
          'MULTI',
          `ZSCORE ${base}:failed order-17`,
          `LPOS ${base}:active nobody`,
          'EXEC',
          'SELECT 3',
          'GET bull:other:7:lock',
          'PTTL bull:other:7:lock',
        ]);
        await other.flushdb();
        other.disconnect();
        const source = Buffer.from(recorded, 'latin1');
        expect(transcriptReader.detect(source, 'typescript')?.score).toBeGreaterThan(0.5);
        const { facts, report } = await collect(transcriptReader, source);
        const mine = { prefix, queue: 'mail' };
        const [member, absent, lock, job, failed, otherLock, moment] = facts;
        expect(member).toMatchObject({ type: 'member', set: 'active', job: 'holds', ...mine });
        expect(lock).toMatchObject({
          type: 'lock',
          job: 'holds',
          token: await client.get(`${base}:holds:lock`),
          ...mine,
        });
        const expiry = Number(await client.call('PEXPIRETIME', `${base}:holds:lock`));
        // PTTL was told within moments of TIME.
        expect(Math.abs((lock?.type === 'lock' ? (lock.expiresAtMs ?? 0) : 0) - expiry)).toBeLessThan(5_000);
        expect(absent).toMatchObject({ type: 'absent', what: 'active', job: 'nobody', ...mine });
        expect(job).toMatchObject({ type: 'job', job: 'order-17', name: 'fails', ...mine });
        if (multiline) expect(job).toMatchObject({ failedReason: AWKWARD.replace(/\n/g, ' ') });
        expect(failed).toMatchObject({
          type: 'member',
          set: 'failed',
          score: Number(await client.zscore(`${base}:failed`, 'order-17')),
        });
        expect(otherLock).toMatchObject({
          type: 'lock',
          prefix: 'bull',
          queue: 'other',
          db: 3,
          job: '7',
          token: 'token-of-db-3:1',
        });
        expect(otherLock).not.toHaveProperty('expiresAtMs');
        expect(moment).toBeUndefined();
        expect(report.damage).toEqual([]);
        expect(report.limits?.map(({ detail }) => detail)).toEqual([
          `ZRANGE ${base}:active 0 -1 was refused: ${base}:active is a list, so this says nothing about it; LRANGE ${base}:active 0 -1 would have answered`,
          `HGET ${base}:holds locktoken: BullMQ writes no field locktoken, so its absence does not mean that there is no lock; GET ${base}:holds:lock and PTTL ${base}:holds:lock would have answered`,
          expect.stringMatching(
            /^the expiry of \S+:holds:lock is reckoned from its time to live and the clock that the transcript shows before it: about 20/,
          ),
        ]);
      });
    });
  });
}
