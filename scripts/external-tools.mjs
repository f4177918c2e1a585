/**
 * The programs outside npm that part of the tests need: a real Redis and a real browser.
 *
 * Where one is missing, its tests are skipped and `npm test` says so; with CI=true its absence is a failure, so that a
 * green run never means "not run".
 */
import fs from 'node:fs';
import path from 'node:path';

const TOOLS = {
  'redis-server': { names: ['redis-server'], needed: 'incidents recorded with real BullMQ on a real Redis' },
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    needed: 'the HTML report opened in a real browser',
  },
};

/** Path of a program on PATH, or undefined. */
export function findTool(tool) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return TOOLS[tool].names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => fs.existsSync(file));
}

export const inCi = () => ['true', '1'].includes(process.env.CI ?? '');

/** Missing programs with what their absence costs. */
export function missingTools() {
  return Object.entries(TOOLS)
    .filter(([tool]) => findTool(tool) === undefined)
    .map(([tool, { needed }]) => ({ tool, needed }));
}
