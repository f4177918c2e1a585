export const about =
  'Jobs are removed once they are done, so adding one with the same id again is not refused: the work is done twice.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const api = await lab.app('api');
  await lab.finished(await lab.background(4));
  const ref = lab.plan([
    [
      { do: 'sleep', ms: 150 },
      { do: 'progress', value: 60 },
      { do: 'sleep', ms: 100 },
    ],
  ]);
  const options = { jobId: `order-${ref}`, removeOnComplete: true };
  const runs = () => lab.journal.filter((r) => r.k === 'ev-completed' && r.job === options.jobId).length;
  const ends = (n) => lab.told(`end ${n}`, (r) => r.k === 'ev-completed' && r.job === options.jobId && runs() >= n);
  api.order({ do: 'add', ref, options });
  await ends(1);
  await lab.sleep(900);
  api.order({ do: 'add', ref, options });
  await ends(2);
  await lab.finished(await lab.background(2));
  lab.blame(
    options.jobId,
    { boundary: 'enqueue', cause: ['id-reused'], duplicate: 'any', executions: undefined, optional: true },
    { duplicate: 'sequential', executions: 2 },
  );
}
