export const about =
  'A supervisor restarts the worker each time the job has killed it, until the stall limit of 2 fails the job.';

export async function play(lab) {
  const settings = { maxStalledCount: 2 };
  let worker = await lab.worker(settings);
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [{ do: 'sleep', ms: 150 }, { do: 'progress', value: 20 }, { do: 'sleep', ms: 150 }, { do: 'kill' }],
  ]);
  for (let deaths = 0; deaths < 3; deaths++) {
    await worker.exited;
    await lab.sleep(300);
    worker = await lab.worker({ ...settings, inPlaceOf: worker });
  }
  await lab.finished(job, await lab.background(2));
  lab.blame(
    job,
    { boundary: 'worker-exit|stalled-sweep', cause: ['process-killed', 'stall-limit'], outcome: 'failed' },
    { duplicate: 'sequential', executions: 3 },
  );
}
