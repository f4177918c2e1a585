export const about =
  'Both workers are killed and nobody notices: one job is left half done, and the jobs added later wait.';

export async function play(lab) {
  const workers = [await lab.worker(), await lab.worker()];
  await lab.finished(await lab.background(6));
  const job = await lab.add([[{ do: 'sleep', ms: 4 * lab.lockDuration }]]);
  await lab.started(job);
  await lab.sleep(400);
  for (const worker of workers) worker.signal('SIGKILL');
  await Promise.all(workers.map((worker) => worker.exited));
  const waiting = await lab.background(4);
  await lab.sleep(4 * lab.lockDuration);
  lab.blame(
    job,
    { boundary: 'worker-exit|stalled-sweep', cause: ['process-killed', 'no-sweep-ran'] },
    { duplicate: 'none', executions: 1 },
  );
  for (const id of waiting) {
    lab.blame(id, { boundary: 'pickup', cause: ['no-worker'] }, { duplicate: 'none', executions: 0 });
  }
}
