export const about = 'The queue is paused for a migration and resumed: jobs waited, and all were done.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker();
  await lab.finished(await lab.background(5));
  await lab.queue.pause();
  lab.note('queue-paused');
  const jobs = await lab.background(6);
  await lab.sleep(4 * lab.lockDuration);
  await lab.queue.resume();
  lab.note('queue-resumed');
  await lab.finished(jobs, await lab.background(3));
}
