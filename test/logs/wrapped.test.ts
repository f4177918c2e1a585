/** A recorded incident, its logs wrapped by each transport and store: what happened must stay the same. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyze } from '../../src/pipeline/analyze.js';
import { ROOT } from '../project/tree.js';
import { WRAPPINGS, writtenLines } from './wrap.js';

const folder = mkdtempSync(join(tmpdir(), 'wrapped-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Boundary, cause, runs and workers of each affected job. */
async function told(evidence: string) {
  const { analysis } = await analyze([evidence], { version: 'test' });
  return analysis.findings.flatMap(({ boundary, cause, jobs }) =>
    jobs.map(({ id, duplicate, executions }) => ({ id, boundary, cause, duplicate, executions })),
  );
}

describe.each(['starved', 'delayed-return'])('%s', (incident) => {
  const evidence = join(ROOT, 'samples/incidents', incident, 'evidence');
  const logs = readdirSync(join(evidence, 'logs'));
  let bare: Awaited<ReturnType<typeof told>> = [];
  beforeAll(async () => {
    bare = await told(evidence);
    expect(bare).not.toEqual([]);
  });

  it.each(Object.entries(WRAPPINGS))('%s', async (name, wrap) => {
    const target = join(folder, incident, name.replaceAll(' ', '-'));
    mkdirSync(target, { recursive: true });
    for (const log of logs) {
      const text = readFileSync(join(evidence, 'logs', log), 'utf8');
      writeFileSync(join(target, log), wrap(writtenLines(log.replace('.log', ''), text)));
    }
    copyFileSync(join(evidence, 'redis/dump.rdb'), join(target, 'dump.rdb'));
    expect(await told(target)).toEqual(bare);
  });
});
