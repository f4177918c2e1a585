export const about = 'Jobs that are not due for minutes and hours stand in delayed when the snapshot is taken.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker();
  const jobs = await lab.background(6);
  for (const delay of [90_000, 600_000, 3_600_000, 86_400_000]) await lab.add([[{ do: 'sleep', ms: 40 }]], { delay });
  for (const delay of [300, 600]) jobs.push(await lab.add([[{ do: 'sleep', ms: 40 }]], { delay }));
  await lab.finished(jobs);
  await lab.sleep(2 * lab.lockDuration);
  await lab.finished(await lab.background(3));
}
