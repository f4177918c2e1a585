export const about =
  'The child of a sandboxed processor is killed: its worker records the failure, and one of two jobs is retried.';

export async function play(lab) {
  await lab.worker({ concurrency: 2, sandboxed: true });
  await lab.finished(await lab.background(4));
  const half = [
    { do: 'sleep', ms: 200 },
    { do: 'progress', value: 40 },
  ];
  const killed = [...half, { do: 'kill' }];
  const retried = await lab.add([killed, [...half, { do: 'sleep', ms: 200 }]], { attempts: 2 });
  await lab.finished(retried);
  const failed = await lab.add([killed]);
  await lab.finished(failed, await lab.background(3));
  await lab.settled();
  for (const [job, executions] of [
    [retried, 2],
    [failed, 1],
  ]) {
    lab.blame(
      job,
      { boundary: 'progress-to-ack|worker-exit', cause: ['sandbox-child-lost', 'process-killed'], optional: true },
      { duplicate: 'none', executions },
    );
  }
}
