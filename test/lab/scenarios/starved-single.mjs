export const about =
  'The only worker blocks itself past the lock, is refused the finish, and its own sweep makes it run the job again.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 200 },
      { do: 'progress', value: 30 },
      { do: 'block', ms: 2.5 * lab.lockDuration },
    ],
    [{ do: 'sleep', ms: 300 }],
  ]);
  await lab.started(job, 2);
  await lab.finished(job, await lab.background(3));
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
