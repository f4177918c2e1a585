/** What a real server saved, read back, must be what the same server answers. */
import { expect, test } from 'vitest';
import { dump } from '../collect.js';
import { describeWithRedis, type RunningRedis } from '../with-redis.js';

/** Every key of every database as the server answers, in the form of `dump`. */
async function askServer({ client }: RunningRedis, databases: readonly number[]) {
  const out = new Map<string, unknown>();
  for (const db of databases) {
    await client.select(db);
    for (const key of await client.keys('*')) {
      const type = await client.type(key);
      const expiresAt = Number(await client.call('PEXPIRETIME', key));
      const expiration = expiresAt >= 0 ? { expiration: expiresAt } : {};
      out.set(`${db} ${key}`, { db, key, type, ...expiration, ...(await askValue(client, key, type)) });
    }
  }
  await client.select(0);
  return out;
}

async function askValue(client: RunningRedis['client'], key: string, type: string): Promise<object> {
  switch (type) {
    case 'string':
      return { value: await client.get(key) };
    case 'list':
      return { values: await client.lrange(key, 0, -1) };
    case 'set':
      return { members: (await client.smembers(key)).sort() };
    case 'hash':
      return { hash: await client.hgetall(key) };
    case 'zset': {
      const flat = await client.zrange(key, 0, -1, 'WITHSCORES');
      const entries = flat.flatMap((member, at) =>
        at % 2 === 0 ? [{ member, score: Number(flat[at + 1]?.replace('inf', 'Infinity')) }] : [],
      );
      return { entries };
    }
    default: {
      const info = pairs((await client.xinfo('STREAM', key)) as unknown[]);
      const messages = (await client.xrange(key, '-', '+')).map(([id, flat]) => ({ id, fields: pairs(flat) }));
      return {
        messages,
        len: info.length,
        lastId: info['last-generated-id'],
        maxDeletedId: info['max-deleted-entry-id'],
        addedEntriesCount: info['entries-added'],
        groups: ((await client.xinfo('GROUPS', key)) as unknown[][]).map((group) => pairs(group).name),
      };
    }
  }
}

function pairs(flat: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])));
}

/** Ours in the form of the server's answers: sets and sorted sets in order, deleted messages away. */
function comparable(key: Record<string, unknown>): Record<string, unknown> {
  const out = { ...key };
  if (Array.isArray(out.members)) out.members = [...out.members].sort();
  if (Array.isArray(out.entries)) {
    out.entries = [...out.entries].sort((a, b) => a.score - b.score || (a.member < b.member ? -1 : 1));
  }
  if (Array.isArray(out.messages)) {
    out.messages = out.messages.filter((one) => !one.deleted).map(({ id, fields }) => ({ id, fields }));
    out.groups = (out.groups as { name: string }[]).map(({ name }) => name);
    delete out.firstId;
  }
  return out;
}

async function fill({ client }: RunningRedis): Promise<void> {
  await client.flushall();
  const numbers = [0, -1, 63, 127, -128, 4095, -4096, 32767, 8388607, -2147483648, 2147483648, '9223372036854775807'];
  await client.mset('plain', 'text', 'int8', '-12', 'int16', '1234', 'int32', '123456789', 'int64', '12345678901234');
  await client.mset(
    '007',
    '007',
    'empty',
    '',
    'utf8',
    'naïve — 日本',
    'lzf',
    'abc '.repeat(500),
    'long',
    'x'.repeat(70_000),
  );
  await client.set(`key ${'k'.repeat(300)}`, 'v', 'PXAT', 4102444800123);
  await client.rpush('list', ...numbers, 'text', 'x'.repeat(300));
  for (let i = 0; i < 3000; i++) await client.rpush('long list', `element ${i} ${'e'.repeat(i % 50)}`);
  await client.call('DEBUG', 'QUICKLIST-PACKED-THRESHOLD', '100b');
  await client.rpush(
    'plain nodes',
    'small',
    'r'.repeat(200),
    Array.from({ length: 90 }, (_, i) => i * 7919).join('-'),
    'end',
  );
  await client.call('DEBUG', 'QUICKLIST-PACKED-THRESHOLD', '1gb');
  await client.sadd('intset', 1, 2, 300, 70_000, '9007199254740993');
  await client.sadd('set', 'a', 'b', 7);
  await client.hset('small hash', { name: 'n', number: 12, negative: -5, big: '9223372036854775807', '': 'no name' });
  await client.hset('hash', Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`field ${i}`, `value ${i}`])));
  await client.hset('long value', 'data', JSON.stringify({ text: 'y'.repeat(5000) }));
  await client.zadd('small zset', 1, 'one', 1.5, 'half', 'inf', 'up', '-inf', 'down', 7366589747200001, 'due');
  await client.zadd('zset', ...Array.from({ length: 500 }, (_, i) => [i * 1.25, `member ${i}`]).flat());
  await client.set('expired soon', 'v', 'PXAT', 4102444800000);
  await client.call('FUNCTION', 'LOAD', "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
  for (let i = 0; i < 350; i++) {
    const fields =
      i % 5 === 0 ? ['event', 'progress', 'jobId', i, 'data', `{"step":${i}}`] : ['event', 'active', 'jobId', i];
    await client.xadd('stream', `${1700000000000 + i * 3}-${i % 4}`, ...fields);
  }
  await client.xdel('stream', '1700000000003-1', '1700000000900-0');
  await client.xtrim('stream', 'MAXLEN', 300);
  await client.xgroup('CREATE', 'stream', 'readers', '0');
  await client.xreadgroup('GROUP', 'readers', 'one', 'COUNT', 5, 'STREAMS', 'stream', '>');
  await client.xadd('emptied', '5-0', 'a', 'b');
  await client.xdel('emptied', '5-0');
  await client.select(9);
  await client.set('elsewhere', 'database 9');
  await client.select(0);
}

for (const [name, options] of [
  ['as it comes', []],
  ['small lists and nodes', ['--list-max-listpack-size', '3', '--stream-node-max-entries', '10']],
  [
    'nothing packed',
    ['--hash-max-listpack-entries', '0', '--zset-max-listpack-entries', '0', '--set-max-intset-entries', '0'],
  ],
  ['LFU and no compression', ['--maxmemory-policy', 'allkeys-lfu', '--rdbcompression', 'no', '--maxmemory', '1gb']],
  ['LRU and no checksum', ['--maxmemory-policy', 'allkeys-lru', '--rdbchecksum', 'no', '--maxmemory', '1gb']],
] as const) {
  describeWithRedis(`a server's RDB, ${name}`, options, (redis) => {
    test('says what the server says, however it is cut', async () => {
      await fill(redis());
      const answers = await askServer(redis(), [0, 9]);
      const bytes = await redis().save();
      const whole = await dump(bytes);
      expect(whole.result).toMatchObject({
        ended: 'whole',
        checksum: name.includes('no checksum') ? 'absent' : 'ok',
        offset: bytes.length,
        databases: [0, 9],
      });
      expect(whole.functions).toHaveLength(1);
      const ours = new Map<string, unknown>(whole.keys.map((key) => [`${key.db} ${key.key}`, comparable(key)]));
      expect([...ours.keys()].sort()).toEqual([...answers.keys()].sort());
      for (const [key, answer] of answers) expect(ours.get(key), key).toEqual(answer);
      for (const sizes of [[1], [7, 1, 300, 2], [4096], [65536, 13]]) {
        const cut = await dump(bytes, sizes);
        expect(cut.keys).toEqual(whole.keys);
        expect(cut.result).toEqual(whole.result);
      }
    });
  });
}

describeWithRedis('streams of a real server', ['--stream-node-max-entries', '10'], (redis) => {
  test('entries that were deleted or trimmed are still read, marked as such', async () => {
    const { client } = redis();
    for (let i = 0; i < 15; i++) await client.xadd('s', `${1000 + i}-0`, 'event', 'active', 'jobId', i);
    await client.xdel('s', '1003-0');
    await client.xtrim('s', 'MAXLEN', 10);
    const { keys } = await dump(await redis().save());
    const messages = keys[0]?.messages as { id: string; deleted: boolean }[];
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, i) => `${1000 + i}-0`));
    const deleted = messages.filter((one) => one.deleted).map(({ id }) => id);
    expect(deleted).toEqual(['1000-0', '1001-0', '1002-0', '1003-0', '1004-0']);
  });
});
