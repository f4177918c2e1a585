/** Records in a table of text: DuckDB counts them, our own pass over the bytes finds the places of those worth a look. */
import { countMismatches, countRows, forgetSource, takeCensus, takeCensusOfKept, wantedRows } from '../audit/index.js';
import {
  type ColumnMap,
  type CsvRows,
  csvRelation,
  type Dialect,
  mapColumns,
  readCsvRows,
  storeOf,
  timeReaderOf,
} from '../records/index.js';
import type { RecordInput } from './sort-inputs.js';
import {
  censusOptions,
  type Kept,
  noteQueue,
  readOptions,
  type TakenRecords,
  type TakeRecordsOptions,
  withoutRecords,
} from './taken-records.js';

export async function takeCsv(
  kept: Kept,
  source: number,
  input: RecordInput,
  dialect: Dialect,
  options: TakeRecordsOptions,
): Promise<TakenRecords> {
  const how = readOptions(input, options);
  const map = mapColumns(dialect.names, dialect.sample, options.given, timeReaderOf(how));
  if (map === undefined) return withoutRecords(source, input, dialect.names);
  const csv = new CsvSource(kept, source, input, dialect, map, options);
  return (await csv.readByDuckDb()) ?? csv.readWhole();
}

class CsvSource {
  readonly #kept: Kept;
  readonly #source: number;
  readonly #input: RecordInput;
  readonly #dialect: Dialect;
  readonly #map: ColumnMap;
  readonly #options: TakeRecordsOptions;
  readonly #queues = new Set<string>();

  constructor(
    kept: Kept,
    source: number,
    input: RecordInput,
    dialect: Dialect,
    map: ColumnMap,
    options: TakeRecordsOptions,
  ) {
    this.#kept = kept;
    this.#source = source;
    this.#input = input;
    this.#dialect = dialect;
    this.#map = map;
    this.#options = options;
    const queue = map.indexOf('queue');
    if (queue !== undefined)
      for (const row of dialect.sample) if (row[queue] !== undefined) this.#queues.add(row[queue]);
  }

  /** Undefined where DuckDB's reader and ours do not agree on what a row is. */
  async readByDuckDb(): Promise<TakenRecords | undefined> {
    const { file, keeper } = this.#kept;
    const rejects = { rejects: `rejects_${this.#source}`, scans: `reject_scans_${this.#source}` };
    const relation = csvRelation(this.#input.path, this.#dialect, this.#map, rejects);
    let rows: number;
    try {
      rows = await takeCensus(file, this.#source, relation, censusOptions(this.#options));
    } catch {
      await forgetSource(file, this.#source);
      return undefined;
    }
    const [rejected] = await file.query(`SELECT count(*) AS n FROM ${rejects.rejects}`);
    const checked = Number(rejected?.n) > 0;
    let faults: CsvRows | undefined;
    if (checked) {
      // What DuckDB rejected is read now, so that its keys are compared with all others.
      faults = await this.#read([].values(), true);
      keeper.flush();
      if (faults.clean !== rows) {
        await forgetSource(file, this.#source);
        return undefined;
      }
      await takeCensusOfKept(file, this.#source);
    }
    return {
      ...this.#taken(await countRows(file, this.#source), faults),
      fetch: () => this.#fetch(checked),
      readWhole: () => this.readWhole(),
    };
  }

  async readWhole(): Promise<TakenRecords> {
    const { file, keeper } = this.#kept;
    await forgetSource(file, this.#source);
    const read = await this.#read(undefined, true);
    keeper.flush();
    await takeCensusOfKept(file, this.#source);
    return this.#taken(await countRows(file, this.#source), read);
  }

  async #fetch(checked: boolean): Promise<boolean> {
    const { file, keeper } = this.#kept;
    const wanted = await wantedRows(file, this.#source);
    await this.#read(wanted.values(), checked, true);
    keeper.flush();
    return (await countMismatches(file, this.#source)) === 0;
  }

  /** `again`: what DuckDB rejected is kept already. */
  #read(wanted: Iterator<number> | undefined, checked: boolean, again = false): Promise<CsvRows> {
    const { keeper } = this.#kept;
    const time = timeReaderOf(readOptions(this.#input, this.#options));
    const how = { dialect: this.#dialect, map: this.#map, time, checked, ...(wanted === undefined ? {} : { wanted }) };
    return readCsvRows(this.#input.blocks(), how, (record, row) => {
      noteQueue(this.#queues, record);
      if (row > 0 || !again) keeper.keep(record, this.#source, wanted === undefined ? 0 : row);
    });
  }

  #taken(rows: number, faults: CsvRows | undefined): TakenRecords {
    const { salvaged = 0, rejected = 0, damage = [] } = faults ?? {};
    const time = timeReaderOf(readOptions(this.#input, this.#options));
    for (const role of ['started', 'completed', 'expires'] as const) {
      const index = this.#map.indexOf(role);
      if (index !== undefined) for (const row of this.#dialect.sample) time.value(row[index]);
    }
    return {
      ...{ source: this.#source, input: this.#input, format: this.#input.detected.format },
      stores: [storeOf(this.#map, {}, { rows, withoutKey: 0 })],
      ...{ salvaged, rejected, damage, passedOver: [], queues: [...this.#queues] },
      assumptions: time.assumptions(),
    };
  }
}
