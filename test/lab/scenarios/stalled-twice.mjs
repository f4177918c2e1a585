export const about =
  'The job kills every process that runs it; the second stall reaches the limit and BullMQ fails it.';

export async function play(lab) {
  const first = await lab.worker();
  await lab.finished(await lab.background(4));
  const poison = [{ do: 'sleep', ms: 200 }, { do: 'line', text: 'loading 4000000 rows' }, { do: 'kill' }];
  const job = await lab.add([poison]);
  await first.exited;
  const second = await lab.worker();
  await second.exited;
  await lab.worker();
  await lab.finished(job, await lab.background(2));
  lab.blame(
    job,
    { boundary: 'worker-exit|stalled-sweep', cause: ['process-killed', 'stall-limit'], outcome: 'failed' },
    { duplicate: 'sequential', executions: 2 },
  );
}
