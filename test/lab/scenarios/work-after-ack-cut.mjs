export const about =
  'The worker sends a receipt after each acknowledgement, and is killed while one is under way: nobody sends it again.';

export async function play(lab) {
  const worker = await lab.worker({ receiptMs: 250 });
  const jobs = await lab.background(5);
  await lab.finished(jobs);
  for (const job of jobs) await lab.told('the receipt', (r) => r.k === 'receipt-sent' && r.job === job);
  const job = await lab.add([[{ do: 'sleep', ms: 200 }]]);
  await lab.told('the receipt to begin', (r) => r.k === 'receipt' && r.job === job);
  await lab.sleep(80);
  worker.signal('SIGKILL');
  await worker.exited;
  await lab.worker({ receiptMs: 250 });
  const later = await lab.background(3);
  for (const id of later) await lab.told('the receipt', (r) => r.k === 'receipt-sent' && r.job === id);
  await lab.sleep(2 * lab.lockDuration);
  lab.blame(job, { boundary: 'post-ack', cause: ['work-after-ack-cut-short'] }, { duplicate: 'none', executions: 1 });
}
