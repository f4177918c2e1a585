export const about =
  'A run that lost its lock goes on after the job was completed elsewhere, and writes progress, data and logs of it.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'progress', value: 20 },
      { do: 'sleep', ms: 200 },
      { do: 'block', ms: 3.2 * lab.lockDuration },
      { do: 'sleep', ms: 2 * lab.lockDuration },
      { do: 'progress', value: 77 },
      { do: 'update-data', data: { exported: true } },
      { do: 'job-log', text: 'export written' },
      { do: 'sleep', ms: 300 },
    ],
    [
      { do: 'progress', value: 20 },
      { do: 'sleep', ms: 300 },
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
