export const about = 'One scheduler makes a job every second; each iteration is a job of its own.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const app = await lab.app('cron');
  await lab.finished(await lab.background(3));
  const ref = lab.plan([
    [
      { do: 'sleep', ms: 90 },
      { do: 'progress', value: 100 },
    ],
  ]);
  // Registered again at each start of the application, which changes nothing.
  for (let i = 0; i < 2; i++) {
    app.order({ do: 'schedule', id: 'hourly-sync', pattern: '* * * * * *', ref });
    await lab.sleep(3300);
  }
  const iterations = new Set(
    lab.journal.filter((r) => r.k === 'start' && r.job.startsWith('repeat:')).map((r) => r.job),
  );
  if (iterations.size < 4) throw new Error(`${iterations.size} iterations are too few`);
  await lab.finished(await lab.background(2));
  await lab.settled();
}
