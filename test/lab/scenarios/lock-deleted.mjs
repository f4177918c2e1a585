export const about =
  'Someone deletes the lock key while the handler runs; the sweep gives the job to the other worker.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const job = await lab.add([[{ do: 'sleep', ms: 4 * lab.lockDuration }], [{ do: 'sleep', ms: 4 * lab.lockDuration }]]);
  await lab.started(job);
  await lab.sleep(lab.lockDuration / 3);
  await lab.redis.del(lab.key(job, ':lock'));
  lab.note('lock-del', { job });
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  lab.blame(job, { boundary: 'redis-loss', cause: ['lock-key-removed'] }, { duplicate: 'overlapping', executions: 2 });
}
