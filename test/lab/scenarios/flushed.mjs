export const about =
  'Someone flushes Redis while one job runs and another waits: the finish finds no job, the other is lost.';

export async function play(lab) {
  await lab.worker();
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: lab.lockDuration },
      { do: 'line', text: 'half of the rows written' },
      { do: 'sleep', ms: lab.lockDuration },
    ],
  ]);
  const waiting = await lab.add([[{ do: 'sleep', ms: 100 }]]);
  await lab.started(job);
  await lab.sleep(0.8 * lab.lockDuration);
  await lab.redis.flushdb();
  lab.note('flushdb');
  await lab.settled();
  await lab.sleep(2 * lab.lockDuration);
  lab.blame(
    job,
    { boundary: 'redis-loss', cause: ['job-key-removed', 'lock-key-removed'] },
    { duplicate: 'none', executions: 1 },
  );
  lab.blame(
    waiting,
    { boundary: 'redis-loss|pickup', cause: ['job-key-removed', 'undetermined'], optional: true },
    { duplicate: 'none', executions: 0 },
  );
}
