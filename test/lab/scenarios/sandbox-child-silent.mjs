export const about =
  'The child of a sandboxed processor never answers; its worker renews the lock for as long as anyone looks.';

export async function play(lab) {
  await lab.worker({ concurrency: 2, sandboxed: true });
  await lab.finished(await lab.background(5));
  const job = await lab.add([[{ do: 'sleep', ms: 100 }, { do: 'progress', value: 50 }, { do: 'hang' }]]);
  await lab.started(job);
  // Long enough to be out of proportion: more than 3 lock durations and 10 times the longest other run.
  for (let i = 0; i < 5; i++) {
    await lab.sleep(lab.lockDuration);
    await lab.background(1);
  }
  await lab.settled([job]);
  lab.blame(
    job,
    { boundary: 'progress-to-ack', cause: ['handler-never-settled', 'sandbox-child-lost'] },
    { duplicate: 'none', executions: 1 },
  );
}
