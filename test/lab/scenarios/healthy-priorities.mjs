export const about = 'Waiting jobs are given other priorities and overtake each other.';

export async function play(lab) {
  await lab.worker();
  await lab.finished(await lab.background(3));
  const jobs = [];
  for (let i = 0; i < 10; i++) jobs.push(await lab.add([[{ do: 'sleep', ms: 220 }]], { priority: 5 }));
  for (const [i, id] of jobs.slice(6).entries()) {
    const job = await lab.library.Job.fromId(lab.queue, id);
    await job.changePriority({ priority: i + 1 });
  }
  const promoted = await lab.add([[{ do: 'sleep', ms: 60 }]], { delay: 60_000 });
  await (await lab.library.Job.fromId(lab.queue, promoted)).promote();
  await lab.finished(jobs, promoted, await lab.background(3));
}
