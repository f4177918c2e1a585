export const about = 'Delayed jobs are long past their time, and no worker is left to promote them.';

export async function play(lab) {
  const worker = await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(6));
  const jobs = [];
  for (let i = 0; i < 3; i++) jobs.push(await lab.add([[{ do: 'sleep', ms: 50 }]], { delay: 2000 + 400 * i }));
  worker.signal('SIGTERM');
  await worker.exited;
  await lab.sleep(2800 + 4 * lab.lockDuration);
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'pickup', cause: ['overdue-delayed', 'no-worker'] },
      { duplicate: 'none', executions: 0 },
    );
  }
}
