export const about =
  "A webhook closes a running job with the worker's own token: completed early, and the worker's finish is refused.";

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const webhook = await lab.app('webhook');
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 400 },
      { do: 'progress', value: 50 },
      { do: 'sleep', ms: 800 },
      { do: 'progress', value: 100 },
    ],
  ]);
  const { token } = await lab.started(job);
  await lab.sleep(600);
  webhook.order({ do: 'complete', job, token });
  await lab.told('the finish', (r) => r.k === 'completed-outside' && r.job === job && r.err === undefined);
  await lab.settled();
  await lab.finished(await lab.background(2));
  lab.blame(
    job,
    { boundary: 'step-transition', cause: ['foreign-token', 'manual-ack-inside-handler'] },
    { duplicate: 'none', executions: 1 },
  );
}
