export const about =
  'Many jobs of four workers fail and are retried with exponential backoff, some until their last attempt.';

export async function play(lab) {
  for (const concurrency of [1, 2, 1, 2]) await lab.worker({ concurrency });
  const fails = [
    { do: 'sleep', ms: 50 },
    { do: 'progress', value: 30 },
    { do: 'throw', message: 'Request failed with status code 429' },
  ];
  const ends = [
    { do: 'sleep', ms: 60 },
    { do: 'progress', value: 100 },
  ];
  const policy = { attempts: 4, backoff: { type: 'exponential', delay: 200 } };
  const jobs = await lab.background(4);
  for (let failures = 1; failures <= 4; failures++) {
    for (let i = 0; i < 2; i++)
      jobs.push(await lab.add([...Array.from({ length: failures }, () => fails), ends], policy));
  }
  jobs.push(...(await lab.background(4)));
  await lab.finished(jobs);
}
