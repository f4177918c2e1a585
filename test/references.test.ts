/**
 * Every reference of the sample analyses is opened again: a cited line must name its job (or stand for a silence), and a cited
 * stream id must be an entry about that job, as a real Redis server answers from the same dump.
 */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Analysis, analysisSchema, type Ref } from '../src/model/analysis.js';
import { ROOT } from './project/tree.js';
import { type RunningRedis, redisServerVersion, startRedis } from './redis/with-redis.js';

const incidents = join(ROOT, 'samples/incidents');

interface Cited {
  readonly ref: Ref;
  readonly job: string;
  readonly kind: string;
}

function citedBy(analysis: Analysis): Cited[] {
  const ofFindings = analysis.findings.flatMap((finding) =>
    [...finding.witness, ...finding.consequences].map(({ ref, kind }) => ({
      ref,
      kind,
      job: finding.jobs[0]?.id ?? '',
    })),
  );
  const ofStories = analysis.stories.flatMap((story) =>
    [...story.timeline.map(({ ref }) => ref), ...story.executions.map(({ startRef }) => startRef)].map((ref) => ({
      ref,
      job: story.id,
      kind: 'record',
    })),
  );
  return [...ofFindings, ...ofStories];
}

describe.each(readdirSync(incidents).sort())('references of %s', (name) => {
  const evidence = join(incidents, name, 'evidence');
  const analysis = analysisSchema.parse(JSON.parse(readFileSync(join(incidents, name, 'expected.json'), 'utf8')));
  const cited = citedBy(analysis);

  it('every finding has a witness of at least three records', () => {
    for (const finding of analysis.findings) expect(finding.witness.length, finding.id).toBeGreaterThanOrEqual(3);
  });

  it('cited lines name the job', () => {
    const lines = cited.filter(({ ref }) => ref.line !== undefined);
    expect(lines.length).toBeGreaterThan(0);
    for (const { ref, job, kind } of lines) {
      const text = readFileSync(join(evidence, ref.source), 'utf8').split('\n')[(ref.line ?? 0) - 1];
      expect(text, `${ref.source}:${ref.line}`).toBeDefined();
      if (kind !== 'silence')
        expect(text, `${ref.source}:${ref.line}`).toMatch(new RegExp(`(?<![\\w-])${job}(?![\\w-])`));
    }
  });

  it('cited byte offsets are where the cited lines begin', () => {
    for (const { ref } of cited.filter(({ ref }) => ref.line !== undefined && ref.offset !== undefined)) {
      const bytes = readFileSync(join(evidence, ref.source));
      const before = bytes.subarray(0, ref.offset).toString('latin1').split('\n').length;
      expect(before, `${ref.source}:${ref.line}`).toBe(ref.line);
    }
  });

  describe.skipIf(redisServerVersion === undefined)('in a real Redis', () => {
    let redis: RunningRedis;
    beforeAll(async () => {
      redis = await startRedis();
      await redis.client.config('SET', 'save', '');
      copyFileSync(join(evidence, 'redis/dump.rdb'), join(redis.dir, 'dump.rdb'));
      await redis.client.call('DEBUG', 'RELOAD', 'NOSAVE', 'NOFLUSH');
    });
    afterAll(() => redis?.stop());

    it('cited stream ids are entries about the job', async () => {
      const entries = cited.filter(({ ref }) => ref.entry !== undefined);
      expect(entries.length).toBeGreaterThan(0);
      for (const { ref, job } of entries) {
        const [found] = await redis.client.xrange(ref.key ?? '', ref.entry ?? '', ref.entry ?? '');
        expect(found?.[1], `${ref.key} ${ref.entry}`).toContain(job);
      }
    });
  });
});
