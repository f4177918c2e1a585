export const about =
  'The handler acknowledges its own job with moveToCompleted and then returns: the worker is refused the finish.';

export async function play(lab) {
  await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([[{ do: 'sleep', ms: 150 }, { do: 'complete-self' }]]);
  await lab.started(job);
  await lab.sleep(400);
  await lab.finished(await lab.background(3));
  lab.blame(
    job,
    { boundary: 'step-transition', cause: ['manual-ack-inside-handler'] },
    { duplicate: 'none', executions: 1 },
  );
}
