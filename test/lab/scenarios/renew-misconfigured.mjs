export const about =
  'lockRenewTime is far longer than lockDuration, so that no long job keeps its lock; the process is responsive.';

export async function play(lab) {
  const settings = { concurrency: 2, lockRenewTime: 20 * lab.lockDuration };
  await lab.worker(settings);
  await lab.worker(settings);
  await lab.finished(await lab.background(5));
  const pieces = 8;
  const run = Array.from({ length: pieces }, (_, i) => [
    { do: 'sleep', ms: (4 * lab.lockDuration) / pieces },
    { do: 'progress', value: Math.round((100 * (i + 1)) / pieces) },
  ]).flat();
  const short = run.slice(0, 4);
  const job = await lab.add([run, short]);
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['renewal-misconfigured', 'lock-not-renewed'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
