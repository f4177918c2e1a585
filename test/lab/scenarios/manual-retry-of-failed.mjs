export const about = 'A job failed for good, someone retries it from a dashboard, and it completes.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 100 },
      { do: 'throw', message: 'mailbox unavailable' },
    ],
    [{ do: 'sleep', ms: 100 }],
  ]);
  await lab.finished(job);
  await lab.sleep(500);
  const failed = await lab.library.Job.fromId(lab.queue, job);
  lab.note('manual-retry', { job });
  await failed.retry('failed');
  await lab.started(job, 2);
  await lab.finished(await lab.background(3));
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'manual-requeue', cause: ['failed-job-retried'], optional: true },
    { duplicate: 'none', executions: 2 },
  );
}
