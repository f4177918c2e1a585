export const about =
  'Flows whose children fail for good and are ignored or removed by policy: the parents run all the same.';

export async function play(lab) {
  await lab.worker({ concurrency: 3 });
  await lab.worker({ concurrency: 2 });
  const { queue, application } = lab;
  const flow = new lab.library.FlowProducer({ connection: lab.connection });
  const fails = [
    [
      { do: 'sleep', ms: 60 },
      { do: 'throw', message: 'thumbnail is broken' },
    ],
  ];
  const well = [[{ do: 'sleep', ms: 120 }]];
  const node = (name, runs, opts, children) => {
    const ref = lab.plan(runs);
    return { name, queueName: queue.name, data: { ref }, opts: { ...lab.idOf(ref), ...opts }, children };
  };
  const child = (runs, opts) => node(`${application.job}-part`, runs, { attempts: 1, ...opts });
  const jobs = await lab.background(3);
  for (const policy of [{ ignoreDependencyOnFailure: true }, { removeDependencyOnFailure: true }]) {
    const tree = await flow.add(
      node(application.job, [[{ do: 'sleep', ms: 60 }]], {}, [child(fails, policy), child(well), child(well)]),
    );
    jobs.push(tree.job.id, ...tree.children.map((c) => c.job.id));
  }
  await lab.finished(jobs, await lab.background(3));
  await flow.close();
}
