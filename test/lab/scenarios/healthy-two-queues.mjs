export const about =
  'One process works on two queues whose jobs have the same ids: two starts of a number are two jobs.';

export async function play(lab) {
  const second = `${lab.queue.name}-low`;
  const low = new lab.library.Queue(second, { connection: lab.connection });
  await lab.worker({ concurrency: 2, alsoQueues: [second] });
  await lab.worker({ concurrency: 1, alsoQueues: [second] });
  const jobs = await lab.background(6);
  for (let i = 0; i < 6; i++) {
    const ref = lab.plan([[{ do: 'sleep', ms: 60 + 20 * i }]]);
    const { id } = await low.add(`${lab.application.job}-bulk`, { ref }, lab.idOf(ref));
    jobs.push(`${second}/${id}`);
  }
  jobs.push(...(await lab.background(3)));
  await lab.finished(jobs);
  await low.close();
}
