export const about =
  'One worker cannot reach Redis while the others can: its lock runs out, another runs the job, and it goes on all the while.';

export async function play(lab) {
  const network = await lab.proxy();
  await lab.worker({ through: network });
  await lab.finished(await lab.background(3));
  const run = [25, 50, 75].map((percent) => [
    { do: 'sleep', ms: 1.6 * lab.lockDuration },
    { do: 'line', text: `page ${percent} of 100 written` },
  ]);
  const job = await lab.add([[{ do: 'progress', value: 5 }, ...run.flat()], [{ do: 'sleep', ms: 500 }]]);
  await lab.started(job);
  await lab.worker({ concurrency: 2 });
  await lab.sleep(300);
  network.cut();
  lab.note('network-cut');
  for (let i = 0; i < 4; i++) {
    await lab.sleep(0.75 * lab.lockDuration);
    await lab.background(1);
  }
  await network.restore();
  lab.note('network-restored');
  await lab.started(job, 2);
  await lab.finished(job);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'lock-renewal', cause: ['redis-unreachable', 'lock-not-renewed'] },
    { duplicate: 'overlapping', executions: 2 },
  );
}
