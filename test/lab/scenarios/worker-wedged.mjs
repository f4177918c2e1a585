export const about =
  "The worker's connection that waits for jobs hangs, the other is well: it sweeps and fetches nothing.";

export async function play(lab) {
  const network = await lab.proxy();
  await lab.worker({ concurrency: 2, through: network });
  await lab.finished(await lab.background(6));
  await network.hangWaiting();
  lab.note('wait-hangs');
  const jobs = await lab.background(3);
  await lab.sleep(3 * lab.lockDuration);
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'pickup', cause: ['worker-wedged', 'redis-unreachable'] },
      { duplicate: 'none', executions: 0 },
    );
  }
}
