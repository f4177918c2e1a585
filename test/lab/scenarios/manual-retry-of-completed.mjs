export const about = 'Someone retries a job that had completed: it runs a second time, as it was told to.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 100 },
      { do: 'progress', value: 100 },
    ],
  ]);
  await lab.finished(job);
  await lab.sleep(500);
  const finished = await lab.library.Job.fromId(lab.queue, job);
  lab.note('manual-retry', { job });
  await finished.retry('completed');
  await lab.started(job, 2);
  await lab.finished(await lab.background(3));
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'manual-requeue', cause: ['completed-job-retried'] },
    { duplicate: 'sequential', executions: 2 },
  );
}
