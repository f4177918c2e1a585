export const about =
  'Redis is flushed while a job runs, and the ids of later jobs count from 1 again: other work, old numbers.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const before = await lab.background(5);
  await lab.finished(before);
  const job = await lab.add([[{ do: 'sleep', ms: 1.8 * lab.lockDuration }]]);
  await lab.started(job);
  await lab.sleep(0.6 * lab.lockDuration);
  await lab.redis.flushdb();
  lab.note('flushdb');
  await lab.settled();
  const after = await lab.background(3);
  for (const id of after) await lab.started(id, before.includes(id) ? 2 : 1);
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'redis-loss', cause: ['job-key-removed', 'lock-key-removed'] },
    { duplicate: 'none', executions: 1 },
  );
  // Two jobs of one number are no second run. Ids of the application's own do not start again.
  for (const id of after.filter((id) => before.includes(id))) {
    lab.blame(
      id,
      {
        boundary: 'redis-loss|enqueue',
        cause: ['job-key-removed', 'redis-rollback', 'id-reused'],
        duplicate: 'any',
        executions: undefined,
        optional: true,
      },
      { duplicate: 'sequential', executions: 2 },
    );
  }
}
