export const about =
  'The process is killed in mid handler and restarted by its supervisor: same host, same log, and it runs the job again.';

export async function play(lab) {
  const first = await lab.worker();
  await lab.finished(await lab.background(4));
  const half = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 50 },
  ];
  const job = await lab.add([
    [...half, { do: 'kill' }],
    [...half, { do: 'sleep', ms: 300 }],
  ]);
  await first.exited;
  await lab.sleep(400);
  await lab.worker({ inPlaceOf: first });
  await lab.finished(job, await lab.background(3));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['process-killed'], progressRegressed: true },
    { duplicate: 'sequential', executions: 2 },
  );
}
