/** Pairs that the lab recorded: a fix holds, a second faulty recording fails, a quiet one proves nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { analysisSchema, type Check } from '../../src/model/analysis.js';
import { type ProveResult, prove } from '../../src/pipeline/prove.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../src/report/index.js';

const folder = join(import.meta.dirname, 'recordings');
const asked = new Map<string, Promise<ProveResult>>();
/** Each pair is read once. */
function proven(before: string, after: string): Promise<ProveResult> {
  const name = `${before} ${after}`;
  const known =
    asked.get(name) ?? prove({ inputs: [join(folder, before)] }, { inputs: [join(folder, after)] }, OPTIONS);
  asked.set(name, known);
  return known;
}
const OPTIONS = { version: '0', columns: {} };
const checksOf = async (before: string, after: string): Promise<readonly Check[]> =>
  (await proven(before, after)).analysis.proof ?? [];
const outcomes = (checks: readonly Check[]) => Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));

const PAIRS = [
  {
    before: 'starved',
    fix: 'sandboxed',
    again: 'starved-again',
    quiet: 'quiet-after-starved',
    boundary: 'lock-renewal',
    /** Checks that the findings of the first recording ask for, beside their being gone. */
    asks: ['duplicate-pattern-gone', 'long-run-renewed', 'completed-once-a-life'],
  },
  {
    before: 'returned-after-move',
    fix: 'delayed-error',
    again: 'returned-again',
    quiet: 'quiet-after-move',
    boundary: 'step-transition',
    asks: [],
  },
  {
    before: 'killed-at-deploy',
    fix: 'graceful-close',
    again: 'killed-again',
    quiet: 'quiet-after-deploy',
    boundary: 'worker-exit',
    asks: ['duplicate-pattern-gone'],
  },
] as const;

describe.each(PAIRS)('$before', ({ before, fix, again, quiet, boundary, asks }) => {
  const gone = (checks: readonly Check[]) => checks.filter(({ id }) => id.startsWith(`gone.${boundary}.`));

  it('is proven by the recording of the fix, with how often its path was walked and the records of it', async () => {
    const checks = await checksOf(before, fix);
    const needed = checks.filter((check) => check.needed);
    expect(gone(checks).length).toBeGreaterThan(0);
    expect(needed.filter(({ outcome }) => outcome !== 'holds')).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    expect(needed.map(({ id }) => id).filter((id) => !id.startsWith('gone.'))).toEqual([...asks]);
    for (const check of gone(checks)) {
      expect(check.exercised).toBeGreaterThan(0);
      expect(check.records.length).toBeGreaterThan(0);
      expect(check.before[0]).toContain('Job ');
    }
  });

  it('is still there in a second faulty recording', async () => {
    const checks = await checksOf(before, again);
    expect(gone(checks).map(({ outcome }) => outcome)).toContain('fails');
    for (const check of checks.filter(({ outcome }) => outcome === 'fails'))
      expect(check.records.length, check.id).toBeGreaterThan(0);
  });

  it('is not proven by a quiet one', async () => {
    const checks = await checksOf(before, quiet);
    expect(checks.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
    for (const check of gone(checks)) {
      expect(check).toMatchObject({ outcome: 'cannot-tell', exercised: 0 });
      expect(check.missing.length).toBeGreaterThan(0);
    }
  });

  it('is not proven by what an analysis says of a quiet day, and fails by what it says of a bad one', async () => {
    const first = { inputs: [], analysis: (await proven(before, fix)).before };
    const by = async (after: string) => {
      const { proof: _, ...analysis } = (await proven(before, after)).analysis;
      return gone((await prove(first, { inputs: [], analysis }, OPTIONS)).analysis.proof ?? []);
    };
    for (const check of await by(quiet)) expect(check.outcome).toBe('cannot-tell');
    expect((await by(again)).map(({ outcome }) => outcome)).toContain('fails');
  });
});

describe('a proof', () => {
  it('says which records it rests on, all of them in the second recording', async () => {
    for (const { before, fix, again } of PAIRS)
      for (const after of [fix, again]) {
        const { analysis } = await proven(before, after);
        const sources = analysis.sources.map(({ path }) => path);
        for (const { records } of analysis.proof ?? [])
          for (const { ref } of records) {
            expect(sources).toContain(ref.source);
            if (ref.line !== undefined) expect(Number.isInteger(ref.line)).toBe(true);
          }
      }
  });

  it('is part of the analysis, and of every report', async () => {
    const { analysis } = await proven('starved', 'sandboxed');
    expect(analysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
    for (const render of [renderMarkdown, renderHtml, renderTerminal]) {
      const text = render(analysis).replace(/\s+/g, ' ');
      expect(text).toContain('The fix is proven as far as this recording goes');
      expect(text).toContain('lock-renewal');
    }
    expect(renderTerminal((await proven('starved', 'starved-again')).analysis)).toContain('The fix does not hold');
    expect(renderTerminal((await proven('starved', 'quiet-after-starved')).analysis)).toContain(
      'The fix is not proven',
    );
  });

  it('asks nothing of other queues: what is not there cannot be proven', async () => {
    const checks = await checksOf('starved', 'graceful-close');
    expect(outcomes(checks)).toMatchObject({
      'gone.lock-renewal.contacts.7': 'cannot-tell',
      'duplicate-pattern-gone': 'cannot-tell',
    });
  });

  it('needs a finding before the fix', async () => {
    const checks = await checksOf('quiet-after-starved', 'sandboxed');
    expect(checks.filter(({ needed }) => needed)).toEqual([]);
  });
});

describe('idempotency records beside the recording of a fix', () => {
  const records = (rows: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'bullmortem-prove-'));
    const path = join(folder, 'records.csv');
    writeFileSync(path, `idempotency_key,job_id,queue,worker,status,started_at,completed_at\n${rows.join('\n')}\n`);
    return { path, remove: () => rmSync(folder, { recursive: true }) };
  };
  const row = (key: string, minute: number): string =>
    `${key},${key},contacts,sync-a,completed,2026-11-30T16:0${minute}:00.000Z,2026-11-30T16:0${minute}:01.000Z`;

  it.each([
    ['a key done once', [row('k1', 1), row('k2', 1)], 'holds'],
    ['a key done twice', [row('k1', 1), row('k1', 2)], 'fails'],
  ])('%s', async (_, rows, outcome) => {
    const { path, remove } = records(rows);
    const after = { inputs: [join(folder, 'sandboxed'), path] };
    const { analysis } = await prove({ inputs: [join(folder, 'starved')] }, after, OPTIONS);
    remove();
    const check = analysis.proof?.find(({ id }) => id === 'completed-once-a-life');
    expect(check?.outcome).toBe(outcome);
    if (outcome === 'fails') expect(check?.records.map(({ ref }) => ref.line)).toEqual([2, 3]);
  });
});
