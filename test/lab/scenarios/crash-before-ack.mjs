export const about =
  'The process is killed after the handler returned and before Redis recorded it; the work is done a second time.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  await lab.finished(await lab.background(6));
  const work = [
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 50 },
    { do: 'sleep', ms: 300 },
    { do: 'progress', value: 100 },
  ];
  const job = await lab.add([[...work, { do: 'kill', afterReturn: true }], work]);
  await lab.finished(job);
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    // A log without a line for the return cannot tell this from a handler that was cut short.
    { boundary: lab.tellsReturn ? 'return-to-ack' : 'return-to-ack|worker-exit', cause: ['process-killed'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
