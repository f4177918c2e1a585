export const about =
  'SIGTERM, and the worker closes as it should; its job takes longer than the grace period, and SIGKILL ends both.';

export async function play(lab) {
  const old = await lab.worker({ onTerm: 'close' });
  await lab.finished(await lab.background(5));
  const run = [20, 40, 60, 80, 100].flatMap((value) => [
    { do: 'sleep', ms: 600 },
    { do: 'progress', value },
  ]);
  const job = await lab.add([run]);
  await lab.started(job);
  await lab.sleep(700);
  old.signal('SIGTERM');
  await lab.worker();
  await lab.sleep(900);
  old.signal('SIGKILL');
  await old.exited;
  await lab.finished(job, await lab.background(3));
  lab.blame(
    job,
    { boundary: 'worker-exit', cause: ['shutdown-without-close', 'process-killed'], progressRegressed: true },
    { duplicate: 'sequential', executions: 2 },
  );
}
