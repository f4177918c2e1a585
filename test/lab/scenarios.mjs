/** Every scenario, from the folder scenarios/: one file is one scenario, named after its file. */
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'scenarios');

/** name → { name, about, play(lab) } */
export const scenarios = new Map(
  await Promise.all(
    fs
      .readdirSync(folder)
      .filter((file) => file.endsWith('.mjs'))
      .sort()
      .map(async (file) => {
        const name = path.basename(file, '.mjs');
        return [name, { name, ...(await import(path.join(folder, file))) }];
      }),
  ),
);
