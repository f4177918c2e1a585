export const about =
  'SIGTERM is answered with worker.close(true) and exit: the running job is abandoned and runs again elsewhere.';

export async function play(lab) {
  const old = await lab.worker({ onTerm: 'force' });
  await lab.finished(await lab.background(4));
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: 350 },
    { do: 'progress', value },
  ]);
  const job = await lab.add([run]);
  await lab.started(job);
  await lab.sleep(900);
  old.signal('SIGTERM');
  await old.exited;
  await lab.worker();
  await lab.finished(job, await lab.background(3));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['shutdown-without-close', 'process-killed'], progressRegressed: true },
    { duplicate: 'sequential', executions: 2 },
  );
}
