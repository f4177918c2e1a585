/** A MONITOR capture of Bull 4, by hand after its scripts: job 6 is taken over from a worker that fell silent, job 7 is retried. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analyze } from '../../src/pipeline/analyze.js';

const CAPTURE = fileURLToPath(new URL('../fuzz/seeds/bull.monitor.txt', import.meta.url));

test('Bull, by MONITOR alone: the overlap is found, the retry is none', async () => {
  const { analysis } = await analyze([CAPTURE], { version: '0' });
  expect(analysis.findings).toHaveLength(1);
  expect(analysis.findings[0]).toMatchObject({
    boundary: 'lock-renewal',
    cause: 'worker-unresponsive',
    jobs: [{ queue: 'mail', id: '6', executions: 2, duplicate: 'overlapping', overlapMs: 400 }],
  });
  expect(analysis.limits).toContainEqual(expect.objectContaining({ what: 'queue of Bull' }));
});
