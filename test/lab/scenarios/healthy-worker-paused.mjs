export const about =
  'One worker is paused for maintenance with a job in hand, ends it, and is resumed; another works on.';

export async function play(lab) {
  const paused = await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  const long = await lab.add([
    [50, 100].flatMap((value) => [
      { do: 'sleep', ms: lab.lockDuration },
      { do: 'progress', value },
    ]),
  ]);
  await lab.started(long);
  await lab.worker();
  paused.order({ do: 'pause' });
  const jobs = await lab.background(6);
  await lab.told('the pause', (r) => r.k === 'ev-paused');
  await lab.sleep(2 * lab.lockDuration);
  paused.order({ do: 'resume' });
  await lab.told('the end of the pause', (r) => r.k === 'ev-resumed');
  await lab.finished(long, jobs, await lab.background(6));
}
