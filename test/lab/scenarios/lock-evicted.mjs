export const about =
  'Redis is short of memory and may evict keys that expire: a lock goes before its time while its handler is well.';

export const redis = { 'maxmemory-policy': 'volatile-ttl' };

const PAGE = 'x'.repeat(4 << 10);
const ROOM = 64 << 10;

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const run = [20, 40, 60, 80, 100].flatMap((value) => [
    { do: 'sleep', ms: 0.9 * lab.lockDuration },
    { do: 'progress', value },
  ]);
  const job = await lab.add([run, run.slice(0, 4)]);
  await lab.started(job);
  await lab.sleep(lab.lockDuration);
  const used = Number(/used_memory:(\d+)/.exec(await lab.redis.info('memory'))[1]);
  await lab.redis.config('SET', 'maxmemory', String(used + ROOM));
  // Another application fills its cache. Once nothing is left to evict, it is refused.
  const cached = [];
  while ((await lab.redis.exists(lab.key(job, ':lock'))) === 1 && cached.length < 50) {
    const key = `cache:page:${cached.length}`;
    cached.push(key);
    await lab.redis.set(key, PAGE).catch(() => {});
  }
  await lab.redis.del(cached);
  await lab.redis.config('SET', 'maxmemory', '0');
  lab.note('lock-evicted', { job });
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(job, { boundary: 'redis-loss', cause: ['lock-key-removed'] }, { duplicate: 'overlapping', executions: 2 });
}
