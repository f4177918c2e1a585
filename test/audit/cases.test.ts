/**
 * Every folder of cases: `records*` in some form, perhaps evidence beside it, and what is to be said of it, written by hand from
 * what the records say. `why` tells what the case is there for.
 */
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Analysis } from '../../src/model/analysis.js';
import type { RecordKey, RecordsAudit, RecordVerdict } from '../../src/model/records-audit.js';
import { audit } from '../../src/pipeline/audit.js';
import type { GivenColumns } from '../../src/records/index.js';

interface Expected {
  readonly why: string;
  /** Keys with their verdicts, `scope key` where there is a scope, `job ID` where there is no key. No other key may have one. */
  readonly verdicts: Readonly<Record<string, readonly RecordVerdict[]>>;
  readonly given?: GivenColumns;
  readonly format?: string;
  readonly keeps?: string;
  readonly stores?: Readonly<Record<string, string>>;
  readonly columns?: Readonly<Record<string, string>>;
  readonly basis?: Readonly<Record<string, string>>;
  readonly cannotTell?: string;
  readonly assumed?: Readonly<Record<string, string>>;
  readonly passedOver?: string;
  readonly rows?: number;
  readonly repeated?: number;
  readonly withoutKey?: number;
  readonly rejected?: number;
  readonly salvaged?: number;
  readonly says?: Readonly<Record<string, string>>;
  readonly lines?: Readonly<Record<string, readonly number[]>>;
  readonly jobs?: Readonly<Record<string, readonly string[]>>;
  readonly queues?: Readonly<Record<string, readonly string[]>>;
  readonly damageLines?: readonly number[];
}

const folder = path.join(import.meta.dirname, 'cases');
const nameOf = ({ key, scope, jobs }: RecordKey): string =>
  key === undefined ? `job ${jobs[0]}` : scope === undefined ? key : `${scope} ${key}`;
const byKey = <T>(audited: RecordsAudit, of: (key: RecordKey) => T): Record<string, T> =>
  Object.fromEntries(audited.keys.map((key) => [nameOf(key), of(key)]));
const part = <T>(all: Record<string, T>, wanted: Readonly<Record<string, unknown>>): Record<string, T | undefined> =>
  Object.fromEntries(Object.keys(wanted).map((name) => [name, all[name]]));

describe.each(fs.readdirSync(folder).sort())('records %s', (name) => {
  const inputs = fs
    .readdirSync(path.join(folder, name))
    .filter((file) => file !== 'expected.json')
    .map((file) => path.join(folder, name, file));
  const expected: Expected = JSON.parse(fs.readFileSync(path.join(folder, name, 'expected.json'), 'utf8'));
  let analysis: Analysis;
  let audited: RecordsAudit;
  beforeAll(async () => {
    const result = await audit(inputs, { version: '0', columns: expected.given ?? {} });
    analysis = result.analysis;
    if (analysis.records === undefined) throw new Error('no records were read');
    audited = analysis.records;
  });

  it(expected.why, () => {
    expect(byKey(audited, (key) => key.verdicts.map((one) => one.verdict).sort())).toEqual(
      Object.fromEntries(Object.entries(expected.verdicts).map(([key, verdicts]) => [key, [...verdicts].sort()])),
    );
  });

  it('tells what was read and how', () => {
    const [store] = audited.stores;
    const columns = (value: 'column' | 'basis') =>
      Object.fromEntries((store?.columns ?? []).map((column) => [column.role, column[value]]));
    const { totals } = audited;
    const sum = (of: 'rejected' | 'salvaged'): number => audited.stores.reduce((total, one) => total + one[of], 0);
    const told = {
      format: store?.format,
      keeps: store?.keeps,
      stores: Object.fromEntries(audited.stores.map((one) => [one.name ?? '', one.keeps])),
      rows: totals.rows,
      repeated: totals.repeated,
      withoutKey: totals.withoutKey,
      rejected: sum('rejected'),
      salvaged: sum('salvaged'),
      damageLines: analysis.sources.flatMap((source) => source.damage.flatMap(({ line }) => line ?? [])),
      queues: Object.fromEntries(audited.queues.map((queue) => [queue.queue ?? '', Object.keys(queue.verdicts)])),
      lines: byKey(audited, (key) => key.shown.map((row) => row.ref.line)),
      jobs: byKey(audited, (key) => key.jobs),
      columns: columns('column'),
      basis: columns('basis'),
    };
    for (const [what, value] of Object.entries(told)) {
      const wanted: unknown = Object.entries(expected).find(([field]) => field === what)?.[1];
      if (wanted === undefined) continue;
      const isPart = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
      const seen =
        isPart && typeof value === 'object'
          ? part(Object.fromEntries(Object.entries(value)), Object.fromEntries(Object.entries(wanted)))
          : value;
      expect(seen, what).toEqual(wanted);
    }
  });

  it('says what it rests on and what it cannot tell', () => {
    const says = byKey(audited, (key) => key.verdicts.map((one) => one.says).join('; '));
    for (const [key, text] of Object.entries(expected.says ?? {})) expect(says[key], key).toContain(text);
    if (expected.cannotTell !== undefined)
      expect(audited.stores.flatMap((store) => store.cannotTell).join('\n')).toContain(expected.cannotTell);
    for (const [setting, value] of Object.entries(expected.assumed ?? {}))
      expect(analysis.settings.find((one) => one.name === setting && one.basis === 'assumed')?.value).toBe(value);
    if (expected.passedOver !== undefined)
      expect(analysis.limits.map((limit) => limit.detail).join('\n')).toContain(expected.passedOver);
    for (const key of audited.keys)
      for (const { ref } of key.shown) expect(analysis.sources.map((source) => source.path)).toContain(ref.source);
  });
});
