export const about =
  'A process takes a job with getNextJob, works longer than the lock lives and is refused the finish; a worker did it again.';

export async function play(lab) {
  const fetcher = await lab.byHand('nightly-fetcher');
  await lab.finished(await lab.background(3));
  const job = await lab.add([
    [
      { do: 'progress', value: 25 },
      { do: 'sleep', ms: 2.2 * lab.lockDuration },
      { do: 'progress', value: 50 },
      { do: 'sleep', ms: 2.2 * lab.lockDuration },
      { do: 'progress', value: 100 },
    ],
    [
      { do: 'sleep', ms: 400 },
      { do: 'progress', value: 100 },
    ],
  ]);
  await lab.started(job);
  fetcher.order({ do: 'stop' });
  await lab.worker();
  await lab.finished(job, await lab.background(3));
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal|return-to-ack', cause: ['fetched-by-hand', 'lock-not-renewed', 'renewal-misconfigured'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
