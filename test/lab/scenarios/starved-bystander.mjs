export const about =
  'One handler blocks the process; a second job that only waits in the same process loses its lock with it.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  const waits = { do: 'sleep', ms: 4.2 * lab.lockDuration };
  const quick = [{ do: 'sleep', ms: 300 }];
  const bystander = await lab.add([[waits], quick]);
  const blocker = await lab.add([
    [
      { do: 'sleep', ms: 400 },
      { do: 'block', ms: 3.4 * lab.lockDuration },
    ],
    quick,
  ]);
  await Promise.all([lab.started(bystander), lab.started(blocker)]);
  await lab.worker({ concurrency: 2 });
  await lab.background(3);
  await lab.finished(bystander, blocker);
  await lab.settled();
  for (const job of [bystander, blocker]) {
    lab.blame(
      job,
      { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
      { duplicate: 'overlapping', executions: 2 },
    );
  }
}
