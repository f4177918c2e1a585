/**
 * Which column tells what: given by the analyst, else by its name where its values fit, else by what its values look like.
 * What was taken for what is shown in the report, so that a wrong guess is seen and can be overridden.
 */
import { RECORD_ROLES, type RecordColumn, type RecordRole } from '../model/records-audit.js';
import type { TimeReader } from '../time/index.js';
import type { RecordCell } from './cell.js';
import { keysHoldAttempt } from './key-attempt.js';
import { plainName, ROLE_NAMES } from './roles.js';
import { stateOfWord, type Tells } from './states.js';

/** Columns by role, as given with `--columns`. */
export type GivenColumns = Readonly<Partial<Record<RecordRole, string>>>;

export interface ColumnMap {
  readonly columns: readonly RecordColumn[];
  /** Index of the role's column; undefined where the store has none. */
  indexOf(role: RecordRole): number | undefined;
  readonly tells: Tells;
  readonly keyHoldsAttempt: boolean;
  /** No column names a key: the job id is taken for it. */
  readonly keyIsJob: boolean;
}

/** A column is what its name says only if so many of its values look like it. */
const MOST = 0.8;
const LONGEST_STATUS = 40;
const MOST_STATUSES = 20;

type Fits = (values: readonly string[], time: TimeReader) => boolean;
const share = (values: readonly string[], fits: (value: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(fits).length / values.length;
const isTime: Fits = (values, time) => share(values, (value) => time.value(value) !== undefined) >= MOST;
const isCount: Fits = (values) => share(values, (value) => /^\d{1,9}$/.test(value)) >= MOST;
const isStatus: Fits = (values) =>
  new Set(values).size <= MOST_STATUSES && values.every((value) => value.length <= LONGEST_STATUS);

/** Any column may hold flags: one is a status only where its name says so. */
const isFlag = (value: string): boolean => /^(?:true|false|yes|no)$/i.test(value);

/** What values of a role must look like; an empty column may be anything. */
const SHAPES: Readonly<Partial<Record<RecordRole, Fits>>> = {
  attempt: isCount,
  status: isStatus,
  started: isTime,
  completed: isTime,
  expires: isTime,
};

/**
 * @param names of the columns; a nested name counts by its last part.
 * @param sample the first rows, cells in the order of the names.
 * @param time reads times as the store's reader will.
 * @returns undefined where nothing can name the work: no key and no job.
 */
export function mapColumns(
  names: readonly string[],
  sample: readonly (readonly RecordCell[])[],
  given: GivenColumns,
  time: TimeReader,
): ColumnMap | undefined {
  const valuesOf = (index: number): string[] =>
    sample.flatMap((row) => {
      const cell = row[index];
      return cell === undefined ? [] : [cell];
    });
  const taken = new Map<RecordRole, { index: number; basis: RecordColumn['basis'] }>();
  const isFree = (index: number): boolean => ![...taken.values()].some((one) => one.index === index);
  const fits = (role: RecordRole, index: number): boolean => {
    const values = valuesOf(index);
    return values.length === 0 || (SHAPES[role]?.(values, time) ?? true);
  };

  for (const role of RECORD_ROLES) {
    const column = given[role];
    const index = column === undefined ? -1 : columnIndex(names, column);
    if (index >= 0) taken.set(role, { index, basis: 'given' });
  }
  const plain = names.map((name) => plainName(name.slice(name.lastIndexOf('.') + 1)));
  for (const strength of ['strong', 'plain', 'weak'] as const)
    for (const role of RECORD_ROLES) {
      if (taken.has(role)) continue;
      // A column called id or hash names the work only where the job does not.
      if (role === 'key' && strength === 'weak' && taken.has('job')) continue;
      for (const candidate of ROLE_NAMES[role][strength] ?? []) {
        const index = plain.findIndex((name, i) => name === candidate && isFree(i) && fits(role, i));
        if (index < 0) continue;
        taken.set(role, { index, basis: 'name' });
        break;
      }
    }
  const byShape = (role: RecordRole, looks: (values: readonly string[]) => boolean): void => {
    if (taken.has(role)) return;
    const index = names.findIndex((_, i) => isFree(i) && valuesOf(i).length > 0 && looks(valuesOf(i)));
    if (index >= 0) taken.set(role, { index, basis: 'shape' });
  };
  byShape('status', (values) =>
    values.every((value) => stateOfWord(value) !== undefined && /[a-z]{2}/i.test(value) && !isFlag(value)),
  );
  byShape('started', (values) => values.every((value) => time.value(value) !== undefined));
  if (taken.get('started')?.basis === 'shape')
    byShape('completed', (values) => values.every((value) => time.value(value) !== undefined));

  if (!taken.has('key') && !taken.has('job')) return undefined;
  const indexOf = (role: RecordRole): number | undefined => taken.get(role)?.index;
  const at = (row: readonly RecordCell[], role: RecordRole): RecordCell => row[indexOf(role) ?? -1];
  const keysAndAttempts = sample.map((row) => {
    const key = at(row, 'key');
    const attempt = at(row, 'attempt');
    return { ...(key === undefined ? {} : { key }), ...(attempt === undefined ? {} : { attempt }) };
  });
  return {
    columns: RECORD_ROLES.flatMap((role) => {
      const one = taken.get(role);
      return one === undefined ? [] : [{ role, column: names[one.index] ?? '', basis: one.basis }];
    }),
    indexOf,
    tells: { status: taken.has('status'), completed: taken.has('completed') },
    keyHoldsAttempt: keysHoldAttempt(keysAndAttempts),
    keyIsJob: !taken.has('key'),
  };
}

/** A column by its name, exactly or as names are compared, or by its number from 1. */
export function columnIndex(names: readonly string[], column: string): number {
  const exact = names.indexOf(column);
  if (exact >= 0) return exact;
  const same = names.findIndex((name) => plainName(name) === plainName(column) && plainName(column) !== '');
  if (same >= 0) return same;
  return /^\d{1,4}$/.test(column) && Number(column) <= names.length ? Number(column) - 1 : -1;
}
