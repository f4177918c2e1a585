export const about =
  'A deploy: SIGTERM is logged but the worker is not closed, then the process is killed with two jobs in hand.';

export async function play(lab) {
  const old = await lab.worker({ concurrency: 2, onTerm: 'ignore' });
  await lab.finished(await lab.background(5));
  const run = [20, 40, 60, 80, 100].flatMap((value) => [
    { do: 'sleep', ms: 700 },
    { do: 'progress', value },
  ]);
  const jobs = [await lab.add([run]), await lab.add([run])];
  await Promise.all(jobs.map((job) => lab.started(job)));
  await lab.sleep(500);
  old.signal('SIGTERM');
  await lab.worker({ concurrency: 2 });
  await lab.sleep(300);
  old.signal('SIGKILL');
  await old.exited;
  await lab.finished(jobs, await lab.background(3));
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'worker-exit', cause: ['shutdown-without-close', 'process-killed'], progressRegressed: true },
      { duplicate: 'sequential', executions: 2 },
    );
  }
}
