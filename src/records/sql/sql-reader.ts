/** Records in a SQL dump: the rows of COPY and INSERT, table by table. Other tables are passed over, and that is said. */
import { StringDecoder } from 'node:string_decoder';
import type { Damage } from '../../model/evidence.js';
import type { RecordCell } from '../cell.js';
import { type Gathering, gather } from '../gather.js';
import {
  MOST_DAMAGES,
  type ReadStore,
  type RecordReadOptions,
  type RecordReadReport,
  type TakeRecord,
} from '../reader.js';
import { DumpText } from './dump-text.js';
import type { RowsOf, TableSays } from './statements.js';

const MOST_PASSED_OVER = 50;

interface Table {
  readonly names: string[];
  readonly gathering: Gathering;
}

export async function readSqlDump(
  blocks: AsyncIterable<Uint8Array>,
  options: RecordReadOptions,
  take: TakeRecord,
): Promise<RecordReadReport> {
  const tables = new Map<string, Table>();
  const says: TableSays[] = [];
  const damage: Damage[] = [];
  let rejected = 0;

  const tableOf = ({ table, columns }: RowsOf, cells: readonly RecordCell[]): Table => {
    const known = tables.get(table);
    if (known !== undefined) return known;
    const told = columns ?? says.findLast((one) => one.table === table && one.columns !== undefined)?.columns;
    const names = [...(told ?? cells.map((_, i) => String(i + 1)))];
    const how = { ...options, name: table, mustLookLikeRecords: true };
    const made = { names, gathering: gather(names, how, take) };
    tables.set(table, made);
    return made;
  };
  const text = new DumpText({
    row(rows, cells, line, offset) {
      const { names, gathering } = tableOf(rows, cells);
      if (cells.length === names.length) gathering.row(cells, { line, offset });
      else {
        rejected++;
        const what = `a row of table ${rows.table} has ${cells.length} values for ${names.length} columns`;
        if (damage.length < MOST_DAMAGES) damage.push({ what, line, offset });
      }
    },
    table: (one) => says.push(one),
    fault(what, line, offset) {
      if (damage.length < MOST_DAMAGES) damage.push({ what, line, offset });
    },
  });
  const decoder = new StringDecoder('utf8');
  for await (const block of blocks) text.feed(decoder.write(block));
  text.end(decoder.end());

  const finished = [...tables].map(([name, table]) => ({ name, names: table.names, told: table.gathering.finish() }));
  return {
    format: 'sql-dump',
    stores: finished.flatMap(({ name, told }) => (told === undefined ? [] : [withUnique(told.store, name, says)])),
    rejected,
    salvaged: 0,
    damage,
    assumptions: finished.flatMap(({ told }) => told?.time.assumptions() ?? []),
    passedOver: finished
      .filter(({ told }) => told === undefined)
      .slice(0, MOST_PASSED_OVER)
      .map(({ name, names }) => `table ${name} (${names.slice(0, 12).join(', ')})`),
  };
}

/** A unique index over the key, without what tells two runs apart, lets one row stand for each key. */
function withUnique(store: ReadStore, table: string, says: readonly TableSays[]): ReadStore {
  const columnOf = (role: string): string | undefined => store.columns.find((one) => one.role === role)?.column;
  const key = columnOf(store.keyIsJob ? 'job' : 'key');
  const apart = ['attempt', 'worker', 'started', ...(store.keyIsJob ? [] : ['job'])].map(columnOf);
  const unique = says
    .filter((one) => one.table === table)
    .flatMap((one) => one.unique)
    .find((columns) => key !== undefined && columns.includes(key) && !columns.some((column) => apart.includes(column)));
  return unique === undefined ? store : { ...store, uniqueKey: `the table has a unique index on ${unique.join(', ')}` };
}
