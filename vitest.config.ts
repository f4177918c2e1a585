import { defineConfig } from 'vitest/config';
import { inCi } from './scripts/external-tools.mjs';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // .ci/run counts from this file, so that its last line is vitest's own result.
    reporters: inCi()
      ? ['default', ['json', { outputFile: 'node_modules/.cache/bullmortem/test-results.json' }]]
      : ['default'],
  },
});
