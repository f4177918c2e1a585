export const about =
  'The process is killed (SIGKILL, as by the kernel when memory runs out) half way through the handler.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const half = [
    { do: 'sleep', ms: 250 },
    { do: 'progress', value: 25 },
    { do: 'sleep', ms: 250 },
    { do: 'progress', value: 50 },
  ];
  const job = await lab.add([
    [...half, { do: 'kill' }],
    [...half, { do: 'sleep', ms: 300 }, { do: 'progress', value: 100 }],
  ]);
  await lab.finished(job);
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['process-killed'], progressRegressed: true },
    { duplicate: 'sequential', executions: 2 },
  );
}
