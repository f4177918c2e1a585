export const about =
  'Redis goes down just before a handler returns and stays away for longer than its lock lives: the work is done again.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const run = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 90 },
    { do: 'cue', name: 'finish' },
    { do: 'sleep', ms: 400 },
  ];
  const job = await lab.add([run, run]);
  await lab.cue('finish');
  await lab.redisServer.kill();
  lab.note('redis-died');
  await lab.sleep(2.5 * lab.lockDuration);
  await lab.redisServer.start();
  lab.note('redis-restarted');
  await lab.started(job, 2);
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
