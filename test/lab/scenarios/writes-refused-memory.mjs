export const about =
  'Redis is full and evicts nothing: renewals are refused, the lock runs out, and the job runs again once there is room.';

const CHUNK = 'x'.repeat(64 << 10);

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const long = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 20 },
    { do: 'cue', name: 'underway' },
    { do: 'sleep', ms: 2.2 * lab.lockDuration },
  ];
  const job = await lab.add([long, [{ do: 'sleep', ms: 500 }]]);
  await lab.cue('underway');
  // Another application has filled its cache beyond what Redis may use.
  const cached = Array.from({ length: 20 }, (_, i) => `cache:page:${i}`);
  for (const key of cached) await lab.redis.set(key, CHUNK);
  const used = Number(/used_memory:(\d+)/.exec(await lab.redis.info('memory'))[1]);
  await lab.redis.config('SET', 'maxmemory', String(used - 10 * CHUNK.length));
  lab.note('redis-full');
  // A script whose first write frees memory passes: it is not the finish that is refused, but the renewal.
  await lab.sleep(3 * lab.lockDuration);
  await lab.redis.del(cached);
  await lab.redis.config('SET', 'maxmemory', '0');
  lab.note('redis-has-room');
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'redis-loss|lock-renewal', cause: ['writes-refused', 'lock-not-renewed'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
