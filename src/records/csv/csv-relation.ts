/** A CSV file as DuckDB's own reader takes it. */
import { NULL_TEXTS } from '../cell.js';
import type { ColumnMap } from '../map-columns.js';
import { type RecordRelation, relationOf, sqlText } from '../relation.js';
import type { Dialect } from './dialect.js';
import { LONGEST_RECORD } from './scan-records.js';

/** Where DuckDB notes the rows that it rejected. */
export interface RejectTables {
  readonly rejects: string;
  readonly scans: string;
}

/** `path` must hold none of the characters `*?[`: DuckDB would take it for a pattern. */
export function csvRelation(path: string, dialect: Dialect, map: ColumnMap, rejects: RejectTables): RecordRelation {
  const columns = dialect.names.map((_, i) => `c${i}`);
  const options = [
    `columns = {${columns.map((name) => `'${name}': 'VARCHAR'`).join(', ')}}`,
    'auto_detect = false',
    `header = ${dialect.hasHeader}`,
    `delim = ${sqlText(dialect.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `nullstr = [${NULL_TEXTS.map(sqlText).join(', ')}]`,
    `compression = 'none'`,
    `max_line_size = ${LONGEST_RECORD}`,
    'store_rejects = true',
    `rejects_table = '${rejects.rejects}'`,
    `rejects_scan = '${rejects.scans}'`,
  ];
  return relationOf(`read_csv(${sqlText(path)}, ${options.join(', ')})`, columns, map, dialect.sample);
}
