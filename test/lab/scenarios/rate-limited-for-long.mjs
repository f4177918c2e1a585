export const about =
  'Someone limited the whole queue for a day with queue.rateLimit: live workers fetch nothing, as they were told.';

const A_DAY_MS = 86_400_000;

export async function play(lab) {
  await lab.worker({ concurrency: 2, limiter: { max: 100, duration: 1000 } });
  await lab.worker({ limiter: { max: 100, duration: 1000 } });
  await lab.finished(await lab.background(6));
  await lab.queue.rateLimit(A_DAY_MS);
  lab.note('queue-rate-limited');
  const jobs = await lab.background(4);
  await lab.sleep(4 * lab.lockDuration);
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'pickup', cause: ['rate-limited', 'undetermined'], optional: true },
      { duplicate: 'none', executions: 0 },
    );
  }
}
