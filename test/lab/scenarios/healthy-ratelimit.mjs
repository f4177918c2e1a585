export const about = 'A limiter on the worker, and a handler that asks for a pause with RateLimitError.';

export async function play(lab) {
  await lab.worker({ concurrency: 2, limiter: { max: 3, duration: 300 } });
  await lab.worker({ concurrency: 2, limiter: { max: 3, duration: 300 } });
  const jobs = await lab.background(8);
  jobs.push(await lab.add([[{ do: 'rate-limit', ms: 600 }], [{ do: 'sleep', ms: 60 }]]));
  jobs.push(...(await lab.background(4)));
  await lab.finished(jobs);
}
