/**
 * Keys that hold the attempt: `charge:42:attempt-2`. Such a key is new for every attempt, so it never stops a second run; the
 * key without its attempt is what names the work. The same rule stands here for programs and for SQL.
 */

/** What may stand between the key and the number: a separator, perhaps a word, perhaps another separator. */
const BEFORE_NUMBER = '[:_/.#|-](?:attempt|try|retry|run|a)?[-_:=]?$';
const BEFORE = new RegExp(BEFORE_NUMBER, 'i');
/** Rows that must agree before a store's keys are said to hold the attempt. */
const LEAST_ROWS = 3;
/** With only first attempts at hand, every key would end in 1 by chance in no fewer rows than these. */
const LEAST_FIRST_ATTEMPTS = 20;

/** The key without its attempt; the key itself where it does not end with it. */
export function keyWithoutAttempt(key: string, attempt: string | undefined): string {
  if (attempt === undefined || attempt === '' || !key.endsWith(attempt)) return key;
  const rest = key.slice(0, key.length - attempt.length);
  const base = rest.replace(BEFORE, '');
  return base === '' || base === rest ? key : base;
}

/** The same as SQL over two expressions of text. */
export const keyWithoutAttemptSql = (key: string, attempt: string): string => {
  const rest = `left(${key}, length(${key}) - length(${attempt}))`;
  const base = `regexp_replace(${rest}, '${BEFORE_NUMBER}', '', 'i')`;
  return `CASE WHEN suffix(${key}, ${attempt}) AND ${base} <> '' AND ${base} <> ${rest} THEN ${base} ELSE ${key} END`;
};

/** Whether all keys of a sample end with the attempt of their row. */
export function keysHoldAttempt(rows: readonly { readonly key?: string; readonly attempt?: string }[]): boolean {
  const both = rows.filter((row) => row.key !== undefined && row.attempt !== undefined);
  const later = both.some((row) => Number(row.attempt) > 1);
  return (
    both.length >= (later ? LEAST_ROWS : LEAST_FIRST_ATTEMPTS) &&
    both.every((row) => keyWithoutAttempt(row.key ?? '', row.attempt) !== row.key)
  );
}
