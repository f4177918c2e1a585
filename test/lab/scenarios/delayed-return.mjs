export const about =
  'The handler moves its job to delayed and returns instead of throwing DelayedError: two lock errors, no harm.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const runs = [
    [
      { do: 'sleep', ms: 60 },
      { do: 'move-delayed', ms: 500, leaveBy: 'return' },
    ],
    [{ do: 'sleep', ms: 120 }],
  ];
  const jobs = [await lab.add(runs), await lab.add(runs)];
  await lab.finished(jobs, await lab.background(2));
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'step-transition', cause: ['returned-after-move'] },
      { duplicate: 'none', executions: 2 },
    );
  }
}
