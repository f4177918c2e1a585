export const about =
  'Parents and children: added as a flow, and added by handlers that leave with WaitingChildrenError.';

export async function play(lab) {
  await lab.worker({ concurrency: 3 });
  await lab.worker({ concurrency: 2 });
  const { queue, application } = lab;
  const part = () => lab.plan([[{ do: 'sleep', ms: 120 }]]);
  const flow = new lab.library.FlowProducer({ connection: lab.connection });
  const job = (name, ref, children) => ({ name, queueName: queue.name, data: { ref }, opts: lab.idOf(ref), children });
  const tree = await flow.add(
    job(
      application.job,
      lab.plan([[{ do: 'sleep', ms: 60 }]]),
      [part(), part()].map((ref) => job(`${application.job}-part`, ref)),
    ),
  );
  await flow.close();
  const jobs = [tree.job.id];
  for (let i = 0; i < 2; i++) {
    const refs = [part(), part()];
    const ids = application.customIds ? refs : undefined;
    jobs.push(await lab.add([[{ do: 'wait-children', refs, ids, leaveBy: 'error' }], [{ do: 'sleep', ms: 50 }]]));
  }
  await lab.finished(jobs, await lab.background(4));
}
