export const about =
  'Handlers that move their job and leave with the special error, as they should; every job runs twice.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  const second = [{ do: 'sleep', ms: 80 }];
  const jobs = [];
  for (let i = 0; i < 5; i++)
    jobs.push(
      await lab.add([
        [
          { do: 'sleep', ms: 20 },
          { do: 'move-delayed', ms: 400, leaveBy: 'error' },
        ],
        second,
      ]),
    );
  for (let i = 0; i < 2; i++) jobs.push(await lab.add([[{ do: 'move-to-wait', leaveBy: 'error' }], second]));
  jobs.push(...(await lab.background(4)));
  await lab.finished(jobs);
}
