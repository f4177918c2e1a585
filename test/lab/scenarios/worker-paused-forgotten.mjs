export const about = 'The only worker was paused for maintenance and never resumed: it lives, and fetches nothing.';

export async function play(lab) {
  const worker = await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(6));
  worker.order({ do: 'pause' });
  await lab.told('the pause', (r) => r.k === 'ev-paused');
  const jobs = [];
  for (let i = 0; i < 3; i++) {
    jobs.push(...(await lab.background(1)));
    await lab.sleep(2 * lab.lockDuration);
  }
  for (const job of jobs) {
    lab.blame(job, { boundary: 'pickup', cause: ['worker-wedged'] }, { duplicate: 'none', executions: 0 });
  }
}
