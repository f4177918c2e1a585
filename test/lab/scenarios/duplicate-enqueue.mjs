export const about =
  'A request is sent again after a timeout, and its order is queued a second time: two jobs do one piece of work.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const api = await lab.app('api');
  const added = async (ref, options) => {
    const until = lab.journal.length;
    api.order({ do: 'add', ref, options });
    const { job } = await lab.told('the added job', (r) => r.k === 'added' && lab.journal.indexOf(r) >= until);
    return job;
  };
  const plan = () => lab.plan([[{ do: 'sleep', ms: 120 }]]);
  const jobs = [];
  for (let i = 0; i < 4; i++) {
    const ref = plan();
    jobs.push(await added(ref, lab.idOf(ref)));
    await lab.sleep(150);
  }
  const ref = plan();
  // Where the application chooses the ids, the second request has one of its own.
  const own = lab.application.customIds;
  const twice = [await added(ref, own ? { jobId: `${ref}-r1` } : {})];
  await lab.sleep(700);
  twice.push(await added(ref, own ? { jobId: `${ref}-r2` } : {}));
  await lab.finished(jobs, twice, await lab.background(2));
  lab.label.records = { jobs: twice, key: ref, cause: 'duplicate-enqueue' };
  for (const job of twice) {
    lab.blame(
      job,
      { boundary: 'enqueue', cause: ['duplicate-enqueue'], duplicate: 'any', optional: true },
      { duplicate: 'none', executions: 1 },
    );
  }
}
