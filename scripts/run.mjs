/** Runs one task of the project: `node scripts/run.mjs <task> [arguments]`. The npm scripts are this table. */
import fs from 'node:fs';
import path from 'node:path';
import { inCi, missingTools } from './external-tools.mjs';
import { build, ensureBuilt, ensureInstalled, ROOT, run, runPackage } from './setup.mjs';

const biome = (...args) => runPackage('@biomejs/biome/bin/biome', args);
const vitest = (...args) => runPackage('vitest/vitest.mjs', ['run', ...args]);

async function writeSchemas() {
  const { configSchemaText, schemaText } = await import('./analysis-schema.mjs');
  const texts = {
    'analysis-1.json': schemaText(await import('../dist/model/analysis.js')),
    'config-1.json': configSchemaText(await import('../dist/model/config.js')),
  };
  fs.mkdirSync(path.join(ROOT, 'schema'), { recursive: true });
  for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(ROOT, 'schema', name), text);
  return 0;
}

function test(args) {
  const results = path.join(ROOT, 'node_modules', '.cache', 'bullmortem', 'test-results.json');
  fs.rmSync(results, { force: true });
  const code = vitest(...args);
  const missing = missingTools();
  for (const { tool, needed } of missing)
    console.log(`SKIPPED: ${tool} is not installed, so nothing tested ${needed}.`);
  if (missing.length > 0 && inCi()) console.log('CI=true: a missing program is a failure.');
  return missing.length > 0 && inCi() ? 1 : code;
}

function runOnBuilt(script, args) {
  ensureBuilt();
  return run(process.execPath, [script, ...args]);
}

const TASKS = {
  build: () => {
    build();
    return writeSchemas();
  },
  typecheck: () => runPackage('typescript/bin/tsc', ['-p', 'tsconfig.test.json']),
  lint: (args) => biome('check', ...args),
  format: (args) => biome('check', '--write', ...args),
  deps: () =>
    runPackage('dependency-cruiser/bin/dependency-cruise.mjs', ['src', '--config', '.dependency-cruiser.cjs']),
  test: (args) => {
    ensureBuilt();
    return test(args);
  },
  /** Rewrites every expected result beside the samples; the diff is reviewed like code. */
  golden: (args) => {
    ensureBuilt();
    return vitest('--update', '--exclude', 'test/lab/**', ...args);
  },
  demo: () => {
    ensureBuilt();
    return run(process.execPath, ['scripts/demo.mjs']);
  },
  lab: (args) => run(process.execPath, ['test/lab/record.mjs', ...args]),
  fuzz: (args) => runOnBuilt('test/fuzz/fuzz.mjs', args),
  bench: (args) => runOnBuilt('test/bench/bench.mjs', args),
  /** Compares our reading of somebody else's RDB files with the JSON beside them. */
  corpora: (args) => runOnBuilt('test/redis/corpora.mjs', args),
};

const [task, ...args] = process.argv.slice(2);
if (!Object.hasOwn(TASKS, task ?? '')) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(TASKS).join('|')} [arguments]`);
  process.exit(2);
}
ensureInstalled();
process.exitCode = await TASKS[task](args);
