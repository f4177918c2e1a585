export const about =
  'The handler uses the CPU past the life of its lock, and the process then prints how long its event loop was blocked.';

export async function play(lab) {
  await lab.worker({ watchesLag: true });
  await lab.worker({ concurrency: 2, watchesLag: true });
  await lab.finished(await lab.background(6));
  const job = await lab.add([
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 150 },
      { do: 'line', text: 'laying out 4200 pages' },
      { do: 'block', ms: 2.8 * lab.lockDuration },
      { do: 'progress', value: 90 },
      { do: 'sleep', ms: 1200 },
    ],
    [
      { do: 'progress', value: 10 },
      { do: 'sleep', ms: 2 * lab.lockDuration },
    ],
  ]);
  await lab.started(job);
  for (let i = 0; i < 4; i++) {
    await lab.sleep(lab.lockDuration / 2);
    await lab.background(1);
  }
  await lab.finished(job);
  await lab.settled();
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['event-loop-blocked', 'worker-unresponsive'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
