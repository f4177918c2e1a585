export const about =
  'Redis records the finish, its answer is lost, and the process is killed before it could ask again: done once, well.';

export async function play(lab) {
  const network = await lab.proxy();
  const first = await lab.worker({ through: network });
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 200 },
      { do: 'progress', value: 50 },
      { do: 'sleep', ms: 200 },
    ],
  ]);
  await lab.started(job);
  await network.loseReply((text) => text.includes('\r\nreturnvalue\r\n'));
  while ((await lab.redis.zscore(lab.key('completed'), job)) === null) await lab.sleep(5);
  first.signal('SIGKILL');
  await first.exited;
  await lab.worker();
  await lab.finished(await lab.background(3));
  await lab.sleep(2 * lab.lockDuration);
  lab.blame(
    job,
    {
      boundary: 'none|return-to-ack',
      cause: ['reply-lost', 'harmless-noise', 'process-killed'],
      optional: true,
    },
    { duplicate: 'none', executions: 1 },
  );
}
