export const about =
  'maxStalledCount is 0: a blocked run is declared stalled and its job failed; the run goes on with its work and returns.';

export async function play(lab) {
  await lab.worker({ maxStalledCount: 0 });
  await lab.worker({ maxStalledCount: 0 });
  await lab.finished(await lab.background(4));
  const job = await lab.add(
    [
      [
        { do: 'progress', value: 10 },
        { do: 'sleep', ms: 100 },
        { do: 'block', ms: 3.2 * lab.lockDuration },
        { do: 'progress', value: 60 },
        { do: 'sleep', ms: 400 },
        { do: 'progress', value: 100 },
      ],
    ],
    { attempts: 3 },
  );
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    {
      boundary: 'lock-renewal|stalled-sweep',
      cause: ['event-loop-blocked', 'worker-unresponsive', 'false-stall-verdict', 'stall-limit'],
      outcome: 'failed',
    },
    { duplicate: 'none', executions: 1 },
  );
}
