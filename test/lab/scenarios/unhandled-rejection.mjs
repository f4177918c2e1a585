export const about = 'A promise nobody awaited is rejected, and Node ends the process while its handler runs.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(5));
  const begin = [
    { do: 'sleep', ms: 200 },
    { do: 'progress', value: 30 },
  ];
  const job = await lab.add([
    [...begin, { do: 'unhandled', message: 'socket hang up' }],
    [...begin, { do: 'sleep', ms: 300 }],
  ]);
  await lab.finished(job);
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['uncaught-exception'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
