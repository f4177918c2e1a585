export const about =
  'maxStalledCount is 0: a starved but working run is declared stalled and the job failed, though the handler ends well.';

export async function play(lab) {
  await lab.worker({ maxStalledCount: 0 });
  await lab.worker({ maxStalledCount: 0 });
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 100 },
      { do: 'block', ms: 3.4 * lab.lockDuration },
    ],
  ]);
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
