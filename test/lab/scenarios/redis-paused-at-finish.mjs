export const about =
  'Redis stops answering just before the finish and for longer than the lock lives: the finish is refused.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 400 },
      { do: 'progress', value: 90 },
      { do: 'cue', name: 'finish' },
      { do: 'sleep', ms: 200 },
    ],
    [
      { do: 'sleep', ms: 400 },
      { do: 'progress', value: 90 },
    ],
  ]);
  await lab.cue('finish');
  await lab.redis.client('PAUSE', String(2 * lab.lockDuration), 'ALL');
  lab.note('redis-paused');
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    {
      boundary: lab.tellsReturn ? 'return-to-ack' : 'return-to-ack|lock-renewal',
      cause: ['redis-outage', 'redis-unreachable', 'acknowledged-late'],
    },
    { duplicate: 'sequential', executions: 2 },
  );
}
