export const about =
  'A worker closes by force while its request for the next job is on its way: Redis gives the job to a worker that is gone.';

export async function play(lab) {
  const network = await lab.proxy();
  const old = await lab.worker({ onTerm: 'force', through: network });
  await lab.finished(await lab.background(5));
  await lab.sleep(300);
  // Only an activation names the limiter's key while no job runs.
  const request = network.holdRequest((text) => text.includes(':limiter\r\n'));
  const job = await lab.add([[{ do: 'sleep', ms: 200 }]]);
  await request;
  old.signal('SIGTERM');
  await old.exited;
  network.letGo();
  lab.note('activation-after-close', { job });
  await lab.sleep(200);
  await lab.worker();
  await lab.finished(job, await lab.background(3));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['dropped-at-close', 'shutdown-without-close', 'process-killed'] },
    { duplicate: 'none', executions: 1 },
  );
}
