export const about =
  'A sandboxed processor uses the CPU for longer than the lock lives; the worker beside it renews the lock.';

export async function play(lab) {
  await lab.worker({ concurrency: 2, sandboxed: true });
  const jobs = await lab.background(4);
  jobs.push(
    await lab.add([
      [
        { do: 'block', ms: 2.5 * lab.lockDuration },
        { do: 'progress', value: 100 },
      ],
    ]),
  );
  jobs.push(...(await lab.background(3)));
  await lab.finished(jobs);
}
