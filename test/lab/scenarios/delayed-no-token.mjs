export const about =
  'The handler moves its job to delayed without the token and returns: not in the active state, then a missing lock.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 80 },
      { do: 'move-delayed', ms: 600, noToken: true, leaveBy: 'return' },
    ],
    [{ do: 'sleep', ms: 150 }],
  ]);
  await lab.finished(job, await lab.background(3));
  lab.blame(job, { boundary: 'step-transition', cause: ['returned-after-move'] }, { duplicate: 'none', executions: 2 });
}
