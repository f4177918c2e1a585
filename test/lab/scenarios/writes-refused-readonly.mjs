export const about =
  'A failover makes Redis a replica for a while: the finish of a job is refused as read-only, and the job runs again later.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const run = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 80 },
    { do: 'cue', name: 'finish' },
    { do: 'sleep', ms: 300 },
  ];
  const job = await lab.add([run, run]);
  await lab.cue('finish');
  await lab.redis.replicaof('127.0.0.1', '1');
  lab.note('redis-is-replica');
  await lab.sleep(3 * lab.lockDuration);
  await lab.redis.replicaof('NO', 'ONE');
  lab.note('redis-is-master');
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'redis-loss|return-to-ack', cause: ['writes-refused', 'redis-outage'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
