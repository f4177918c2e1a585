export const about =
  'A supervisor restarts the worker properly on the same host and into the same log; nothing is lost.';

export async function play(lab) {
  const first = await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  const long = await lab.add([[{ do: 'sleep', ms: lab.lockDuration }]]);
  await lab.started(long);
  first.signal('SIGTERM');
  await first.exited;
  await lab.worker({ inPlaceOf: first, concurrency: 2 });
  await lab.finished(long, await lab.background(5));
}
