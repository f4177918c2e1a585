/**
 * A process that runs inputs, so that what it does to its memory and time harms nobody else.
 *
 * Started by `fuzz.mjs` with an IPC channel: takes `{ seed, from, to }`, answers `{ finds }`. With a file as argument
 * (`worker.mjs <file> <input as JSON without its bytes>`) it reads just that and prints the kind of what it finds.
 */
import fs from 'node:fs';
import { inputs } from './inputs.mjs';
import { readers } from './readers.mjs';
import { inputOfRun, runInput } from './run.mjs';

const [file, about] = process.argv.slice(2);
if (file !== undefined) {
  const found = await runInput(readers, { ...JSON.parse(about), bytes: fs.readFileSync(file) });
  console.log(found?.kind ?? 'nothing');
  if (found) console.log(found.what);
} else {
  const all = inputs();
  process.on('message', async ({ seed, from, to }) => {
    const finds = [];
    for (let run = from; run < to; run++) {
      const found = await runInput(readers, inputOfRun(all, readers, seed, run));
      if (found) finds.push({ run, ...found });
    }
    process.send({ finds });
  });
}
