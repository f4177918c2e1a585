/**
 * A table that DuckDB reads by itself (CSV, Parquet), as expressions over its columns. What they give must be what `toRecord`
 * gives of the same row: the audit compares the two.
 */
import { RECORD_STATES, type RecordState } from '../model/records-audit.js';
import type { RecordCell } from './cell.js';
import { keyWithoutAttemptSql } from './key-attempt.js';
import type { ColumnMap } from './map-columns.js';
import { STATE_WORDS, stateOfWord } from './states.js';

/** SQL expressions over the rows of `from`; `NULL` where the store has no such column. */
export interface RecordRelation {
  readonly from: string;
  readonly key: string;
  readonly scope: string;
  readonly queue: string;
  readonly job: string;
  /** Index in `RECORD_STATES`. */
  readonly state: string;
  /** Whether the row is of a later attempt than the first. */
  readonly later: string;
  /** Begin, else end, ms UTC; NULL where it is not written in a way that DuckDB reads. */
  readonly atMs: string;
}

export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/**
 * Whether a column is one of these texts. Not `IN`: from five texts on DuckDB makes a join of it, and rows then come in an order
 * that is not the file's.
 */
export const sqlIsOneOf = (column: string, texts: readonly string[]): string =>
  texts.length < 5
    ? `(${texts.map((text) => `${column} = ${sqlText(text)}`).join(' OR ')})`
    : `list_contains([${texts.map(sqlText).join(', ')}], ${column})`;
const code = (state: RecordState): number => RECORD_STATES.indexOf(state);

/** @param columns SQL of the columns in the order of the map's indexes: text, or NULL where a cell holds nothing. */
export function relationOf(
  from: string,
  columns: readonly string[],
  map: ColumnMap,
  sample: readonly (readonly RecordCell[])[],
): RecordRelation {
  const column = (role: Parameters<ColumnMap['indexOf']>[0]): string | undefined => {
    const index = map.indexOf(role);
    return index === undefined ? undefined : columns[index];
  };
  const valuesOf = (role: 'status' | 'started' | 'completed'): string[] => {
    const index = map.indexOf(role);
    return sample.flatMap((row) => (index === undefined ? [] : (row[index] ?? [])));
  };
  const key = column(map.keyIsJob ? 'job' : 'key') ?? 'NULL';
  const attempt = column('attempt');
  const status = column('status');
  const completed = column('completed');
  const started = timeSql(column('started'), valuesOf('started'));
  const ended = timeSql(completed, valuesOf('completed'));
  return {
    from,
    key: map.keyHoldsAttempt && attempt !== undefined ? keyWithoutAttemptSql(`(${key})`, `(${attempt})`) : key,
    scope: column('scope') ?? 'NULL',
    queue: column('queue') ?? 'NULL',
    job: column('job') ?? 'NULL',
    state: stateSql(status, completed, [...new Set(valuesOf('status'))]),
    later: attempt === undefined ? 'false' : `coalesce(${attempt} <> '0' AND ${attempt} <> '1', false)`,
    atMs: started === 'NULL' ? ended : ended === 'NULL' ? started : `coalesce(${started}, ${ended})`,
  };
}

/** As `stateOf`. Words of the sample are compared as they stand, which is fast; others are looked up. */
function stateSql(status: string | undefined, completed: string | undefined, words: readonly string[]): string {
  const end = completed === undefined ? 'false' : `${completed} IS NOT NULL`;
  const none = status === undefined && completed === undefined ? 'unknown' : 'begun';
  const wordless = `CASE WHEN ${end} THEN ${code('ended')} ELSE ${code(none)} END`;
  if (status === undefined) return wordless;
  const whens = RECORD_STATES.flatMap((state) => {
    const named = words.filter((word) => stateOfWord(word) === state);
    return named.length === 0 ? [] : [`WHEN ${sqlIsOneOf(status, named)} THEN ${code(state)}`];
  });
  const word = `regexp_replace(lower(${status}), '[^a-z0-9]', '', 'g')`;
  const lookups = RECORD_STATES.flatMap((state) =>
    state === 'unknown' ? [] : [`WHEN ${sqlIsOneOf(word, STATE_WORDS[state])} THEN ${code(state)}`],
  );
  const answers = `WHEN regexp_full_match(${word}, '[1-4][0-9]{2}') THEN ${code('ended')} WHEN regexp_full_match(${word}, '5[0-9]{2}') THEN ${code('failed')}`;
  const other = `CASE ${lookups.join(' ')} ${answers} WHEN ${end} THEN ${code('ended')} ELSE ${code('unknown')} END`;
  return `CASE ${whens.join(' ')} WHEN ${status} IS NULL THEN ${wordless} ELSE ${other} END`;
}

const ISO = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?$/;
/** Digits of an epoch number by its unit, and milliseconds in that unit. */
const EPOCHS: ReadonlyMap<number, number> = new Map([
  [10, 1000],
  [13, 1],
  [16, 1e-3],
  [19, 1e-6],
]);

/** Milliseconds of a time; a zone that is left out is that of the session. Forms beyond ISO 8601 and epochs give NULL. */
function timeSql(column: string | undefined, values: readonly string[]): string {
  const [first] = values;
  if (column === undefined || first === undefined) return 'NULL';
  if (values.every((value) => ISO.test(value))) return `epoch_ms(try_cast(${column} AS TIMESTAMPTZ))::DOUBLE`;
  const perUnit = EPOCHS.get(/^\d+$/.test(first) ? first.length : -1);
  if (perUnit === undefined || !values.every((value) => /^\d+$/.test(value) && value.length === first.length))
    return 'NULL';
  return `try_cast(${column} AS DOUBLE) * ${perUnit}`;
}
