export const about =
  'Redis closes every connection once; all come back within the life of the locks, and nothing is harmed.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 1 });
  await lab.finished(await lab.background(4));
  const jobs = [
    await lab.add([
      [
        { do: 'sleep', ms: 0.8 * lab.lockDuration },
        { do: 'progress', value: 100 },
      ],
    ]),
    await lab.add([[{ do: 'sleep', ms: 0.9 * lab.lockDuration }]]),
  ];
  await Promise.all(jobs.map((job) => lab.started(job)));
  await lab.sleep(200);
  await lab.redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  lab.note('connections-closed');
  await lab.finished(jobs);
  await lab.finished(await lab.background(4));
}
