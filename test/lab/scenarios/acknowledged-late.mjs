export const about =
  'Redis stops answering just before the finish, for less than the lock lives: acknowledged late, one run.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 200 },
      { do: 'cue', name: 'finish' },
      { do: 'sleep', ms: 150 },
    ],
  ]);
  await lab.cue('finish');
  await lab.redis.client('PAUSE', String(Math.round(lab.lockDuration * 0.55)), 'ALL');
  lab.note('redis-paused');
  await lab.finished(job);
  await lab.finished(await lab.background(3));
  lab.blame(
    job,
    { boundary: 'return-to-ack', cause: ['acknowledged-late', 'redis-outage'], optional: true },
    { duplicate: 'none', executions: 1 },
  );
}
