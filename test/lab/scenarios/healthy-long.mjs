export const about = 'Runs of two to three lock durations whose locks are renewed in time.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  const piece = lab.lockDuration / 2;
  const long = (pieces) =>
    Array.from({ length: pieces }, (_, i) => [
      { do: 'sleep', ms: piece },
      { do: 'progress', value: Math.round((100 * (i + 1)) / pieces) },
    ]).flat();
  const jobs = [await lab.add([long(6)]), await lab.add([long(5)]), await lab.add([[{ do: 'sleep', ms: 5 * piece }]])];
  jobs.push(...(await lab.background(6)));
  await lab.finished(jobs);
}
