export const about =
  'A deploy as it should be: SIGTERM, the running job ends and is acknowledged, the worker closes, the next one takes over.';

export async function play(lab) {
  const old = await lab.worker({ concurrency: 2, onTerm: 'close' });
  await lab.finished(await lab.background(5));
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: lab.lockDuration / 2 },
    { do: 'progress', value },
  ]);
  const jobs = [await lab.add([run]), await lab.add([run])];
  await Promise.all(jobs.map((job) => lab.started(job)));
  await lab.sleep(300);
  old.signal('SIGTERM');
  await lab.worker({ concurrency: 2 });
  jobs.push(...(await lab.background(4)));
  await lab.finished(jobs);
  await old.exited;
}
