export const about = 'Someone deletes the keys of a job while its handler runs: the finish finds no job.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  const job = await lab.add([[{ do: 'sleep', ms: 600 }]]);
  await lab.started(job);
  await lab.sleep(200);
  await lab.redis.del(lab.key(job), lab.key(job, ':lock'));
  await lab.redis.lrem(lab.key('active'), 0, job);
  lab.note('job-del', { job });
  await lab.settled();
  await lab.finished(await lab.background(3));
  lab.blame(job, { boundary: 'redis-loss', cause: ['job-key-removed'] }, { duplicate: 'none', executions: 1 });
}
