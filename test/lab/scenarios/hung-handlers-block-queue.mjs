export const about =
  'Two handlers never settle and take every place of the only worker: its locks are renewed, and later jobs wait.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(6));
  const hangs = [{ do: 'sleep', ms: 100 }, { do: 'progress', value: 30 }, { do: 'hang' }];
  const hung = [await lab.add([hangs]), await lab.add([hangs])];
  await Promise.all(hung.map((job) => lab.started(job)));
  const waiting = await lab.background(3);
  await lab.sleep(5 * lab.lockDuration);
  for (const job of hung) {
    lab.blame(
      job,
      { boundary: 'progress-to-ack', cause: ['handler-never-settled'] },
      { duplicate: 'none', executions: 1 },
    );
  }
  // Whether they are victims of their own or only of the hung ones is a matter of taste.
  for (const job of waiting) {
    lab.blame(
      job,
      { boundary: 'pickup|progress-to-ack', cause: ['worker-wedged', 'handler-never-settled'], optional: true },
      { duplicate: 'none', executions: 0 },
    );
  }
}
