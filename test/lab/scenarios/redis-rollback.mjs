export const about =
  'Redis dies and comes back with a snapshot in which a completed job was still active: it is run a second time.';

/** Snapshots only: what came after the last one is lost. */
export const redis = { appendonly: 'no' };

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(6));
  const run = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 50 },
    { do: 'sleep', ms: 600 },
    { do: 'progress', value: 100 },
  ];
  const job = await lab.add([run]);
  await lab.started(job);
  await lab.sleep(500);
  await lab.redisServer.keepSnapshot();
  lab.note('snapshot');
  await lab.finished(job);
  await lab.sleep(600);
  await lab.redisServer.kill();
  lab.note('redis-died');
  await lab.sleep(400);
  await lab.redisServer.start();
  lab.note('redis-restarted');
  await lab.started(job, 2);
  await lab.settled();
  await lab.finished(await lab.background(3));
  lab.blame(job, { boundary: 'redis-loss', cause: ['redis-rollback'] }, { duplicate: 'sequential', executions: 2 });
}
