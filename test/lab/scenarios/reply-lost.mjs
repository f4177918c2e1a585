export const about =
  'Redis records the finish and its answer is lost; the worker connects again, asks again, and is told of a missing lock.';

export async function play(lab) {
  const network = await lab.proxy();
  await lab.worker({ through: network });
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
  await lab.sleep(200);
  network.breakLinks();
  lab.note('reply-lost', { job });
  await lab.told('the refusal', (r) => r.k === 'ev-error' && r.err.includes(`Missing lock for job ${job}.`));
  await lab.worker();
  await lab.finished(await lab.background(3));
  lab.blame(
    job,
    { boundary: 'none|return-to-ack', cause: ['reply-lost', 'harmless-noise', 'acknowledged-late'], optional: true },
    { duplicate: 'none', executions: 1 },
  );
}
