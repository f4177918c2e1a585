export const about =
  'The handler moves its job to waiting-children, works on to its end and returns; it runs again after the children.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  const refs = [1, 2].map(() => lab.plan([[{ do: 'sleep', ms: 900 }]]));
  const ids = lab.application.customIds ? refs : undefined;
  const job = await lab.add([
    [
      { do: 'sleep', ms: 50 },
      { do: 'wait-children', refs, ids },
      { do: 'sleep', ms: 200 },
      { do: 'progress', value: 80 },
      { do: 'sleep', ms: 100 },
    ],
    [{ do: 'sleep', ms: 100 }],
  ]);
  await lab.finished(job, await lab.background(2));
  lab.blame(
    job,
    { boundary: 'step-transition', cause: ['continued-after-move'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
