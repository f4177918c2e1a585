import fs from 'node:fs';
import path from 'node:path';

export const about =
  'Logs were shipped twice: one file lies there a second time, and the lines of another stand in it twice.';

export async function play(lab) {
  const first = await lab.worker({ concurrency: 2 });
  const second = await lab.worker();
  const fails = [
    { do: 'sleep', ms: 60 },
    { do: 'throw', message: 'upstream answered 502' },
  ];
  const jobs = await lab.background(8);
  jobs.push(await lab.add([fails, [{ do: 'sleep', ms: 50 }]], { attempts: 2, backoff: { type: 'fixed', delay: 250 } }));
  jobs.push(...(await lab.background(6)));
  await lab.finished(jobs);
  lab.ship((logs) => {
    fs.copyFileSync(path.join(logs, `${first.name}.log`), path.join(logs, `${first.name}-reshipped.log`));
    const file = path.join(logs, `${second.name}.log`);
    fs.appendFileSync(file, fs.readFileSync(file));
  });
}
