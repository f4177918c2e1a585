export const about =
  'Redis is down for longer than the locks live while a handler runs: no renewal, and the job runs again beside it.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 300 },
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 8 * lab.lockDuration },
      { do: 'progress', value: 90 },
    ],
    [
      { do: 'sleep', ms: 400 },
      { do: 'progress', value: 90 },
    ],
  ]);
  await lab.started(job);
  await lab.sleep(700);
  await lab.redisServer.kill();
  lab.note('redis-died');
  await lab.sleep(2.2 * lab.lockDuration);
  await lab.redisServer.start();
  lab.note('redis-restarted');
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['redis-unreachable', 'lock-not-renewed'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
