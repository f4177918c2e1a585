export const about = 'The handler moves its job back to wait and returns instead of throwing WaitingError.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 80 },
      { do: 'move-to-wait', leaveBy: 'return' },
    ],
    [{ do: 'sleep', ms: 150 }],
  ]);
  await lab.finished(job);
  await lab.finished(await lab.background(2));
  lab.blame(job, { boundary: 'step-transition', cause: ['returned-after-move'] }, { duplicate: 'none', executions: 2 });
}
