/**
 * A finding rests on its witness: without a cited record it may weaken or go, but never turn into another boundary that is claimed with
 * the same certainty, and nothing cites what is not there. Every finding of the samples and of the histories; of the incidents from
 * the field some, drawn by a seed (SEED=… draws others, SEED=all takes all).
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analysis, Finding, Ref } from '../../src/model/analysis.js';
import type { JobRecord, StoredEvent } from '../../src/model/stored.js';
import { RULES } from '../../src/rules/index.js';
import { type Judged, runRules } from '../../src/rules/run-rules.js';
import { buildStory } from '../../src/story/build-story.js';
import { refOf } from '../../src/story/moments.js';
import type { Scene, WorkerProcess } from '../../src/story/scene.js';
import { readIncidents } from '../field/read-incident.js';
import { ROOT } from '../project/tree.js';
import { tell } from '../rules/history.js';
import { withEvidence } from './open-evidence.js';

const SEED = process.env.SEED ?? '1';
/** Incidents, and records of each. */
const [DRAWN_INCIDENTS, DRAWN_RECORDS] = [6, 1];

const folder = mkdtempSync(join(tmpdir(), 'witness-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isFirm = ({ status, boundary }: Pick<Finding, 'status' | 'boundary'>): boolean =>
  (status === 'shown' || status === 'likely') && boundary !== 'undetermined';
const placeOf = ({ source, line, entry }: Ref): string => `${source} ${entry ?? line}`;

/** Boundaries that are claimed for each job. */
function claimsOf({ findings }: Analysis): Map<string, Set<string>> {
  const claims = new Map<string, Set<string>>();
  for (const finding of findings.filter(isFirm))
    for (const { queue, id } of finding.jobs) {
      const job = `${queue ?? ''} ${id}`;
      claims.set(job, (claims.get(job) ?? new Set()).add(finding.boundary));
    }
  return claims;
}

/** Records that findings cite; a silence is the want of records, and the line that ends it stays. */
const citedBy = ({ findings }: Analysis): Ref[] =>
  findings.flatMap(({ witness, consequences, hypotheses }) => [
    ...[...witness, ...consequences].filter(({ kind }) => kind !== 'silence').map(({ ref }) => ref),
    ...hypotheses.flatMap((one) => [...one.for, ...one.against]),
  ]);

/** Some of a list, the same for the same seed. */
function drawn<T>(list: readonly T[], most: number, salt: string): readonly T[] {
  if (SEED === 'all') return list;
  let state = [...`${SEED} ${salt}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  const rest = [...list];
  return Array.from({ length: Math.min(most, list.length) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return rest.splice(state % rest.length, 1)[0];
  }).filter((one) => one !== undefined);
}

async function tryWithout(paths: string[], given: Record<string, number>, pick: (refs: Ref[]) => readonly Ref[]) {
  let tried = 0;
  await withEvidence(paths, given, async ({ whole, without }) => {
    const before = claimsOf(whole);
    const witness = whole.findings.flatMap((finding) => finding.witness.map(({ ref }) => ref));
    const once = [...new Map(witness.map((ref) => [placeOf(ref), ref])).values()];
    for (const ref of pick(once)) {
      const rest = await without(ref);
      if (rest === undefined) continue;
      tried++;
      const told = `seed ${SEED}, without ${placeOf(ref)}`;
      expect(citedBy(rest).map(placeOf), told).not.toContain(placeOf(ref));
      for (const [job, boundaries] of claimsOf(rest))
        expect([...(before.get(job) ?? [])], `${told}: job ${job}`).toEqual(expect.arrayContaining([...boundaries]));
    }
  });
  return tried;
}

describe('without a record that a finding cites', () => {
  const samples = join(ROOT, 'samples/incidents');
  it.each(readdirSync(samples).sort())('sample %s claims nothing else', async (name) => {
    const tried = await tryWithout([join(samples, name, 'evidence')], {}, (refs) => refs);
    expect(tried).toBeGreaterThanOrEqual(3);
  });

  it.each(drawn(readIncidents(), DRAWN_INCIDENTS, 'incidents'))(
    'incident $name claims nothing else',
    async ({ name, files, given }) => {
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, name, path)), { recursive: true });
        writeFileSync(join(folder, name, path), text);
      }
      await tryWithout([join(folder, name)], given, (refs) => drawn(refs, DRAWN_RECORDS, name));
    },
  );

  it.each(readHistories())('history "$name" claims nothing else', ({ history }) => {
    const { record, scene } = tell(history);
    const whole = judge(record, scene);
    const claimed = whole.filter(({ verdict }) => isFirm(verdict)).map(({ verdict }) => verdict.boundary);
    for (const { ref } of whole.flatMap(({ verdict }) => verdict.witness)) {
      const isIt = (event: StoredEvent): boolean => JSON.stringify(refOf(event)) === JSON.stringify(ref);
      const events = record.events.filter((event) => !isIt(event));
      const workers = scene.workers.map((worker) => ({ ...worker, signs: worker.signs.filter((sign) => !isIt(sign)) }));
      if (events.length === record.events.length) continue;
      const rest = judge({ ...record, events }, { ...scene, workers, workerOf: sameWorkers(scene, workers) });
      for (const { verdict, consequences } of rest) {
        const cited = [...verdict.witness, ...consequences].filter(({ kind }) => kind !== 'silence');
        expect(cited.map((one) => one.ref)).not.toContainEqual(ref);
        if (isFirm(verdict)) expect(claimed, `without ${placeOf(ref)}`).toContain(verdict.boundary);
      }
    }
  });
});

const judge = (record: JobRecord, scene: Scene): readonly Judged[] =>
  runRules(RULES, buildStory(record, scene), scene).judged;

/** The workers of a scene, each replaced by its copy. */
const sameWorkers =
  (scene: Scene, copies: readonly WorkerProcess[]): Scene['workerOf'] =>
  (event) => {
    const worker = scene.workerOf(event);
    return worker && copies.find(({ id }) => id === worker.id);
  };

function readHistories(): { name: string; history: string }[] {
  return readFileSync(join(ROOT, 'test/rules/histories.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))
    .map(([name = '', , history = '']) => ({ name, history }));
}
