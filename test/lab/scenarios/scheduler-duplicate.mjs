export const about =
  'Two deployments register a scheduler under different names for the same work: two jobs in each slot.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const blue = await lab.app('blue');
  const green = await lab.app('green');
  await lab.finished(await lab.background(3));
  const ref = lab.plan([[{ do: 'sleep', ms: 120 }]]);
  const pattern = '*/2 * * * * *';
  blue.order({ do: 'schedule', id: 'sync-all', pattern, ref });
  await lab.sleep(2500);
  green.order({ do: 'schedule', id: 'sync-all-v2', pattern, ref });
  await lab.sleep(6500);
  for (const id of ['sync-all', 'sync-all-v2']) await lab.queue.removeJobScheduler(id);
  await lab.settled();
  const slotOf = (job) => job.split(':').at(-1);
  const started = [...new Set(lab.journal.filter((r) => r.k === 'start').map((r) => r.job))];
  const second = started.filter((job) => job.startsWith('repeat:sync-all-v2:'));
  const doubled = new Set(second.map(slotOf));
  for (const job of started.filter((id) => id.startsWith('repeat:') && doubled.has(slotOf(id)))) {
    lab.blame(
      job,
      { boundary: 'enqueue', cause: ['scheduler-duplicate', 'duplicate-enqueue'], duplicate: 'any', optional: true },
      { duplicate: 'none', executions: 1 },
    );
  }
}
