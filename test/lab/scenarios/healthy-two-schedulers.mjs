export const about =
  'Two customers have a scheduler each, with one name and one schedule: two jobs in each slot, and both are wanted.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const app = await lab.app('cron');
  await lab.finished(await lab.background(3));
  const plan = () => lab.plan([[{ do: 'sleep', ms: 90 }]]);
  for (const customer of ['acme', 'globex'])
    app.order({ do: 'schedule', id: `sync-${customer}`, pattern: '*/2 * * * * *', ref: plan() });
  await lab.sleep(6500);
  const iterations = new Set(
    lab.journal.filter((r) => r.k === 'start' && r.job.startsWith('repeat:')).map((r) => r.job),
  );
  if (iterations.size < 4) throw new Error(`${iterations.size} iterations are too few`);
  await lab.finished(await lab.background(2));
  await lab.settled();
}
