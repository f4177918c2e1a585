export const about =
  'The handler moves its job to delayed and goes on to its end: the work is done, and done again when the job is due.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 60 },
      { do: 'move-delayed', ms: 900 },
      { do: 'sleep', ms: 250 },
      { do: 'progress', value: 80 },
      { do: 'sleep', ms: 150 },
    ],
    [{ do: 'sleep', ms: 120 }],
  ]);
  await lab.finished(job, await lab.background(2));
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'step-transition', cause: ['continued-after-move'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
