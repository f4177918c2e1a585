export const about =
  'One process is stopped while its neighbour on the same host goes on and takes its job; nobody measures event loop lag.';

export async function play(lab) {
  const first = await lab.worker({ watchesLag: false });
  await lab.finished(await lab.background(3));
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: 250 },
    { do: 'progress', value },
  ]);
  const job = await lab.add([run, [...run, { do: 'sleep', ms: lab.lockDuration }]]);
  await lab.started(job);
  await lab.sleep(600);
  first.signal('SIGSTOP');
  await lab.worker({ concurrency: 2, onHostOf: first, watchesLag: false });
  await lab.background(4);
  await lab.started(job, 2);
  await lab.background(2);
  await lab.sleep(400);
  first.signal('SIGCONT');
  await lab.finished(job);
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['process-suspended', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
