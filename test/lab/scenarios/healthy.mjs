export const about = 'Three workers, retries by policy, delayed, prioritized and longer jobs; nothing is wrong.';

export async function play(lab) {
  await lab.worker({ concurrency: 1 });
  await lab.worker({ concurrency: 3 });
  await lab.worker({ concurrency: 2 });
  const jobs = await lab.background(12);
  const quick = [{ do: 'sleep', ms: 40 }];
  const failsOnce = [
    [
      { do: 'sleep', ms: 30 },
      { do: 'throw', message: 'upstream answered 503' },
    ],
    quick,
  ];
  for (let i = 0; i < 3; i++)
    jobs.push(await lab.add(failsOnce, { attempts: 3, backoff: { type: 'fixed', delay: 200 } }));
  for (let i = 0; i < 3; i++) jobs.push(await lab.add([quick], { delay: 300 + 100 * i }));
  for (let i = 0; i < 3; i++) jobs.push(await lab.add([quick], { priority: 3 - i }));
  for (let i = 0; i < 2; i++) {
    const steps = [20, 40, 60, 80, 100].flatMap((value) => [
      { do: 'sleep', ms: 160 },
      { do: 'progress', value },
    ]);
    jobs.push(await lab.add([steps]));
  }
  jobs.push(...(await lab.background(8)));
  await lab.finished(jobs);
}
