export const about =
  'The process is stopped (SIGSTOP) while its handler awaits, and goes on after another worker took the job.';

export async function play(lab) {
  const first = await lab.worker();
  await lab.finished(await lab.background(3));
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: 250 },
    { do: 'progress', value },
  ]);
  const job = await lab.add([run, [...run, { do: 'sleep', ms: lab.lockDuration }]]);
  await lab.started(job);
  await lab.sleep(600);
  first.signal('SIGSTOP');
  await lab.worker({ concurrency: 2 });
  await lab.background(4);
  await lab.started(job, 2);
  await lab.sleep(300);
  first.signal('SIGCONT');
  await lab.finished(job);
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['process-suspended', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
