/** `--columns`: which column of the idempotency records tells what. */
import type { Config } from '../model/config.js';
import { RECORD_ROLES, type RecordRole } from '../model/records-audit.js';
import type { GivenColumns } from '../records/index.js';
import { UsageError } from './exit-codes.js';

/** `key=idempotency_key,job=job_id`, as often as one likes. */
export function parseColumns(texts: readonly string[]): GivenColumns {
  const given: Partial<Record<RecordRole, string>> = {};
  for (const pair of texts.flatMap((text) => text.split(','))) {
    const sign = pair.indexOf('=');
    const role = RECORD_ROLES.find((one) => one === pair.slice(0, sign).trim());
    const column = pair.slice(sign + 1).trim();
    if (sign < 0 || role === undefined || column === '')
      throw new UsageError(
        `--columns ${JSON.stringify(pair)} is not understood; write ROLE=COLUMN with one of the roles ${RECORD_ROLES.join(', ')}`,
      );
    given[role] = column;
  }
  return given;
}

/** What the command line names goes before what the configuration does. */
export function withConfig(given: GivenColumns, config: Config | undefined): GivenColumns {
  const columns: Partial<Record<RecordRole, string>> = {};
  for (const role of RECORD_ROLES) {
    const column = given[role] ?? config?.records?.columns[role];
    if (column !== undefined) columns[role] = column;
  }
  return columns;
}

/** As they stand in the options of an analysis. */
export const columnsText = (given: GivenColumns): string[] =>
  Object.entries(given).map(([role, column]) => `--columns ${role}=${column}`);
