export const about =
  'A second consumer of the events is started while the first still lives: each completed job is followed by two receipts.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.consumer('receipts-1', { effect: true });
  const before = await lab.background(5);
  await lab.finished(before);
  await lab.sleep(300);
  await lab.consumer('receipts-2', { effect: true });
  const both = await lab.background(5);
  const effects = (job) => lab.journal.filter((r) => r.k === 'effect' && r.job === job).length;
  for (const job of both)
    await lab.told('two receipts', (r) => r.k === 'effect' && r.job === job && effects(job) === 2);
  await lab.sleep(300);
  for (const job of both) {
    lab.blame(
      job,
      { boundary: 'post-ack', cause: ['event-fan-out'], duplicate: 'any', optional: true },
      { duplicate: 'none', executions: 1 },
    );
  }
}
