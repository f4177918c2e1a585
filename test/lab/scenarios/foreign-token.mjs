export const about =
  'A webhook closes a job with an old token while a worker holds it: refused, and the job ends as if nothing had been.';

export async function play(lab) {
  await lab.worker();
  await lab.worker();
  const webhook = await lab.app('webhook');
  await lab.finished(await lab.background(5));
  const job = await lab.add([
    [
      { do: 'sleep', ms: 500 },
      { do: 'progress', value: 50 },
      { do: 'sleep', ms: 700 },
    ],
  ]);
  const { token } = await lab.started(job);
  await lab.sleep(600);
  const old = `${token.split(':')[0].replace(/^.{8}/, 'b7d1f0aa')}:4`;
  webhook.order({ do: 'complete', job, token: old });
  await lab.told('the refusal', (r) => r.k === 'completed-outside' && r.job === job);
  await lab.finished(job, await lab.background(2));
  lab.blame(
    job,
    { boundary: 'step-transition|none', cause: ['foreign-token', 'harmless-noise'], optional: true },
    { duplicate: 'none', executions: 1 },
  );
}
