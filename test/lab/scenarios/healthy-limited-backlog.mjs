export const about = 'A limiter lets two jobs a second through, and thirty wait their turn when the snapshot is taken.';

export async function play(lab) {
  const limiter = { max: 2, duration: 1000 };
  await lab.worker({ concurrency: 2, limiter });
  await lab.worker({ limiter });
  const jobs = await lab.background(40);
  await lab.finished(jobs.slice(0, 8));
  await lab.sleep(2 * lab.lockDuration);
  await lab.settled();
}
