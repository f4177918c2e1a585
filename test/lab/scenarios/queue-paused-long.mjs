export const about =
  'The queue is paused during an incident and forgotten for long; jobs keep coming in while two workers idle.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker();
  await lab.finished(await lab.background(6));
  await lab.queue.pause();
  lab.note('queue-paused');
  const jobs = [];
  for (let i = 0; i < 8; i++) {
    jobs.push(...(await lab.background(1)));
    await lab.sleep(lab.lockDuration);
  }
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'pickup', cause: ['queue-paused'], optional: true },
      { duplicate: 'none', executions: 0 },
    );
  }
}
