export const about =
  'The handler blocks, then goes on awaiting for long: two runs side by side, and the first finish is refused.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'progress', value: 20 },
      { do: 'sleep', ms: 200 },
      { do: 'block', ms: 2.6 * lab.lockDuration },
      { do: 'progress', value: 60 },
      { do: 'sleep', ms: 2.4 * lab.lockDuration },
      { do: 'progress', value: 90 },
    ],
    [
      { do: 'progress', value: 20 },
      { do: 'sleep', ms: 2 * lab.lockDuration },
      { do: 'progress', value: 90 },
    ],
  ]);
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
