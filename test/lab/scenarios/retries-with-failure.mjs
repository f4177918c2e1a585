export const about =
  'A job fails three times and is failed for good, another is saved by its retry: policy, no incident.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 1 });
  const fails = [
    { do: 'sleep', ms: 60 },
    { do: 'progress', value: 40 },
    { do: 'throw', message: 'connect ECONNREFUSED 10.3.0.9:8443' },
  ];
  const policy = { attempts: 3, backoff: { type: 'fixed', delay: 250 } };
  const jobs = await lab.background(4);
  jobs.push(await lab.add([fails], policy));
  jobs.push(await lab.add([fails, fails, [{ do: 'sleep', ms: 50 }]], policy));
  jobs.push(...(await lab.background(4)));
  await lab.finished(jobs);
}
