/**
 * A process that is killed while it fills a case file leaves one that opens, and the next run ends as if nothing had been.
 *
 * KILLS=50 npx vitest run test/casefile/killed.test.ts
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openCaseFile } from '../../src/casefile/case-file.js';

const KILLS = Number(process.env.KILLS ?? 4);
const SEED = 20261201;
const BIN = fileURLToPath(new URL('../../bin/bullmortem.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bullmortem-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START_MS = Date.UTC(2026, 2, 3, 9, 0, 0);

/** Four workers' logs, the last of them large enough for a thread of its own. */
const logs = [2_000, 4_000, 3_000, 20_000].map((lines, worker) => {
  const path = join(folder, `worker-${worker}.log`);
  const text = Array.from({ length: lines }, (_, n) => {
    const about = { level: 30, time: START_MS + 20 * n + worker, pid: 100 + worker, hostname: `mailer-${worker}` };
    const job = `${worker}-${n >> 1}`;
    const msg = n % 2 === 0 ? 'Job started' : 'Job completed';
    return `${JSON.stringify({ ...about, queue: 'mail', jobId: job, msg, note: 'x'.repeat(120) })}\n`;
  });
  writeFileSync(path, text.join(''));
  return path;
});

/** Runs an analysis into a case file, and kills it after a time where one is given. */
function analyze(casePath: string, output: string, killAfterMs?: number): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BIN, 'analyze', ...logs, '--case', casePath, '-o', output, '--quiet'], {
    stdio: 'ignore',
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ms: performance.now() - startedAt });
    });
  });
}

/** The analysis without the remark that a source was in the case already. */
const verdictOf = (path: string): unknown => ({ ...JSON.parse(readFileSync(path, 'utf8')), limits: [] });

test(`killed ${KILLS} times, a case file opens and the re-run is whole`, {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  const whole = join(folder, 'whole.json');
  const { code, ms } = await analyze(join(folder, 'whole.duckdb'), whole);
  expect(code).toBe(0);
  let random = SEED;
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // A linear congruence is random enough to spread the moments.
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    const path = join(folder, `killed-${kill}.duckdb`);
    const output = join(folder, `killed-${kill}.json`);
    const killed = await analyze(path, output, (random / 2_147_483_648) * ms);
    if (killed.code === null) interrupted++;
    await (await openCaseFile({ path })).close();
    expect((await analyze(path, output)).code, `seed ${SEED}, kill ${kill}`).toBe(0);
    expect(verdictOf(output), `seed ${SEED}, kill ${kill}`).toEqual(verdictOf(whole));
    for (const file of [path, output]) rmSync(file);
  }
  expect(interrupted).toBeGreaterThan(0);
});
