/**
 * Puts the program together: src into few files, because Node takes half a millisecond for each of four hundred.
 *
 * What is loaded by its path keeps it: the command, the reading thread, and the parts that schemas, benchmarks and fuzzing
 * load apart. What they share lies in `chunks/`. Everything is one folder deep, so that files beside `dist` (templates, package.json)
 * are found by the same relative path as from `src`.
 *
 *   node scripts/bundle.mjs <folder>
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const ENTRIES = [
  'cli/main',
  'threads/reading-thread',
  'threads/reading-worker',
  'casefile/case-file',
  'intake/index',
  'logs/index',
  'model/analysis',
  'model/config',
  'pipeline/take-evidence',
  'redis/index',
  'redis/rdb/index',
];

/** Bundles src into `folder`. Types are not checked here. */
export async function bundle(folder) {
  // Not on top: this file is loaded before the packages are installed.
  const { build } = await import('rolldown');
  await build({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
    // Packages stay as they are installed.
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    platform: 'node',
    logLevel: 'warn',
    // `./x.js` in an import is `x.ts` on the disk.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: false,
      sourcemap: false,
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(path.resolve(process.argv[2] ?? 'dist'));
