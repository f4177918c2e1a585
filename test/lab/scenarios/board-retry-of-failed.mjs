export const about = 'Two jobs failed for good, someone retries both from a board; one completes and one fails again.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker();
  const board = await lab.app('board');
  await lab.finished(await lab.background(4));
  const fails = [
    { do: 'sleep', ms: 90 },
    { do: 'throw', message: 'upstream answered 503' },
  ];
  const jobs = [await lab.add([fails, [{ do: 'sleep', ms: 120 }]]), await lab.add([fails])];
  await lab.finished(jobs);
  await lab.sleep(600);
  for (const job of jobs) board.order({ do: 'retry', job, state: 'failed' });
  await Promise.all(jobs.map((job) => lab.started(job, 2)));
  await lab.finished(await lab.background(3));
  await lab.settled();
  for (const job of jobs) {
    lab.blame(
      job,
      { boundary: 'manual-requeue', cause: ['failed-job-retried'], optional: true },
      { duplicate: 'none', executions: 2 },
    );
  }
}
