export const about =
  'A callback for stalled events retries the job although the sweep already did: a third run after the completion.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.consumer('watcher', { retriesStalled: true });
  await lab.finished(await lab.background(4));
  const half = [
    { do: 'sleep', ms: 250 },
    { do: 'progress', value: 50 },
  ];
  const job = await lab.add([
    [...half, { do: 'kill' }],
    [...half, { do: 'sleep', ms: 200 }],
  ]);
  await lab.started(job, 3);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['process-killed'], also: ['manual-requeue'], progressRegressed: true },
    { duplicate: 'sequential', executions: 3 },
  );
}
