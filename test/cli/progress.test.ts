/** The line of progress: stage, bytes, rate, time left. */
import { expect, it } from 'vitest';
import { progressText } from '../../src/cli/progress.js';

const FILE = {
  path: 'a.log',
  bytesRead: 30_000_000,
  totalBytes: 120_000_000,
  stage: 'read',
  file: 2,
  files: 3,
} as const;

it.each([
  [FILE, 10_000, 'reading file 2 of 3: 30.0 of 120.0 MB, 3.0 MB/s, 30 s left'],
  [FILE, 500, 'reading file 2 of 3: 30.0 of 120.0 MB'],
  [{ ...FILE, stage: 'store', bytesRead: 120_000_000 }, 10_000, 'storing file 2 of 3: 120.0 of 120.0 MB, 12.0 MB/s'],
  [
    { path: '-', bytesRead: 5_000_000, stage: 'read', file: 1, files: 1 },
    2000,
    'reading file 1 of 1: 5.0 MB, 2.5 MB/s',
  ],
  [{ ...FILE, stage: 'done', file: 3 }, 10_000, 'all 3 files read; judging'],
  [{ ...FILE, stage: 'open', bytesRead: 0 }, 0, 'reading file 2 of 3: 0.0 of 120.0 MB'],
] as const)('%j after %i ms', (progress, ms, text) => {
  expect(progressText(progress, ms)).toBe(text);
});
