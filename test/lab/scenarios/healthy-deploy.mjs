export const about =
  'A rolling deploy of four workers: each ends its job, closes and is replaced on its host, one after the other.';

export async function play(lab) {
  const workers = [];
  for (let i = 0; i < 4; i++) workers.push(await lab.worker({ concurrency: 1 + (i % 2) }));
  const jobs = await lab.background(6);
  const run = [25, 50, 75, 100].flatMap((value) => [
    { do: 'sleep', ms: 0.4 * lab.lockDuration },
    { do: 'progress', value },
  ]);
  for (const old of workers) {
    const long = await lab.add([run]);
    await lab.started(long);
    jobs.push(long, ...(await lab.background(2)));
    old.signal('SIGTERM');
    await old.exited;
    await lab.worker({ inPlaceOf: old });
  }
  await lab.finished(jobs, await lab.background(4));
}
