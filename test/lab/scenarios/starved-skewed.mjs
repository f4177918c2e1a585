export const about = 'As starved, and the clocks of the two hosts are seven seconds apart.';

export async function play(lab) {
  await lab.worker({ skewMs: -3200 });
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 150 },
      { do: 'block', ms: 3.4 * lab.lockDuration },
    ],
    [{ do: 'sleep', ms: 400 }],
  ]);
  await lab.started(job);
  await lab.worker({ concurrency: 2, skewMs: 4100 });
  await lab.finished(job, await lab.background(4));
  await lab.settled();
  lab.label.skew = Object.fromEntries(lab.processes.map(({ name, skewMs }) => [name, skewMs]));
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
