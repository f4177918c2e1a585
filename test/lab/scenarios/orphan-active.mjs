export const about = 'The only worker is killed and nobody comes back: the job stays active without a lock.';

export async function play(lab) {
  const only = await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([[{ do: 'sleep', ms: 300 }, { do: 'progress', value: 30 }, { do: 'kill' }]]);
  await only.exited;
  await lab.sleep(3 * lab.lockDuration);
  lab.blame(
    job,
    { boundary: 'worker-exit|stalled-sweep', cause: ['process-killed', 'no-sweep-ran'] },
    { duplicate: 'none', executions: 1 },
  );
}
