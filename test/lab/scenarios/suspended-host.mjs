export const about =
  'A host is suspended with both its workers and goes on later; a worker of another host ran their jobs meanwhile.';

export async function play(lab) {
  const first = await lab.worker();
  const second = await lab.worker({ onHostOf: first });
  await lab.finished(await lab.background(4));
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: 250 },
    { do: 'progress', value },
  ]);
  const jobs = [await lab.add([[...run, ...run, ...run], run]), await lab.add([[...run, ...run, ...run], run])];
  await Promise.all(jobs.map((job) => lab.started(job)));
  const elsewhere = await lab.worker();
  await lab.sleep(200);
  for (const worker of [first, second]) worker.signal('SIGSTOP');
  lab.note('host-suspended');
  await lab.background(3);
  // Both must have been taken over, and the last must still run when the host wakes.
  await Promise.all(jobs.map((job) => lab.started(job, 2)));
  await lab.sleep(150);
  for (const worker of [first, second]) worker.signal('SIGCONT');
  await lab.finished(jobs);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.label.suspended = [first.name, second.name];
  lab.label.elsewhere = elsewhere.name;
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'lock-renewal', cause: ['process-suspended', 'worker-unresponsive'] },
      { duplicate: 'overlapping', executions: 2 },
    );
  }
}
