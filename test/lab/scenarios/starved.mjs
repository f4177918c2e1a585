export const about =
  'The handler uses the CPU past the life of its lock; the other worker takes the job over and runs it again.';

export async function play(lab) {
  await lab.worker();
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(6));
  const job = await lab.add([
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 150 },
      { do: 'block', ms: 3.4 * lab.lockDuration },
    ],
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 400 },
    ],
  ]);
  await lab.started(job);
  for (let i = 0; i < 4; i++) {
    await lab.sleep(lab.lockDuration / 2);
    await lab.background(1);
  }
  await lab.finished(job);
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
