export const about =
  'Two hundred jobs wait while both workers are busy with those before them: a backlog that is being worked off.';

export async function play(lab) {
  await lab.worker({ concurrency: 2 });
  await lab.worker({ concurrency: 2 });
  await lab.finished(await lab.background(4));
  for (let i = 0; i < 200; i++) await lab.add([[{ do: 'sleep', ms: 150 + ((i * 53) % 90) }]]);
  await lab.sleep(4 * lab.lockDuration);
}
