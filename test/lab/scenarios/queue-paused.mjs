export const about = 'The queue is paused and forgotten: jobs wait while the worker idles.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(5));
  await lab.queue.pause();
  lab.note('queue-paused');
  const jobs = await lab.background(2);
  await lab.sleep(4 * lab.lockDuration);
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'pickup', cause: ['queue-paused'], optional: true },
      { duplicate: 'none', executions: 0 },
    );
  }
}
