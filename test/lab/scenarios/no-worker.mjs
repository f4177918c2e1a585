export const about = 'A deploy stops every worker and no new one comes: jobs are added and wait.';

export async function play(lab) {
  const workers = [await lab.worker({ concurrency: 2 }), await lab.worker({ concurrency: 2 })];
  const api = await lab.app('api');
  await lab.finished(await lab.background(8));
  for (const worker of workers) {
    worker.signal('SIGTERM');
    await worker.exited;
  }
  const refs = [1, 2, 3].map(() => lab.plan([[{ do: 'sleep', ms: 50 }]]));
  const jobs = [];
  for (const ref of refs) {
    api.order({ do: 'add', ref, options: lab.idOf(ref) });
    jobs.push((await lab.told('the added job', (r) => r.k === 'added' && r.ref === ref)).job);
    await lab.sleep(lab.lockDuration);
  }
  await lab.sleep(3 * lab.lockDuration);
  for (const job of jobs) {
    lab.blame(job, { boundary: 'pickup', cause: ['no-worker'] }, { duplicate: 'none', executions: 0 });
  }
}
