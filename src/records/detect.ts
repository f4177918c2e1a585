/** Whether a source holds idempotency records, from its beginning. */
import { cellOf, type RecordCell } from './cell.js';
import { type Dialect, dialectOf } from './csv/dialect.js';
import { looksLikeRecords, timeReaderOf } from './gather.js';
import { readDocument } from './json/document.js';
import type { JsonLayout } from './json/json-reader.js';
import { isObject, objectCells } from './json/object-cells.js';
import { isRecordKey } from './json/redis-value.js';
import { mapColumns } from './map-columns.js';
import { isParquet } from './parquet.js';
import type { RecordReadOptions } from './reader.js';
import { isKeyName, plainName } from './roles.js';

export type RecordSource = { readonly format: string; readonly reason: string } & (
  | { readonly kind: 'csv'; readonly dialect: Dialect }
  | { readonly kind: 'json'; readonly layout: JsonLayout }
  | { readonly kind: 'sql-dump' | 'parquet' }
);

/** What is known of a source before it is looked at. */
export interface DetectOptions extends RecordReadOptions {
  /** The analyst said that these are records: what has their form is taken for them. */
  readonly isGiven: boolean;
  /** The head is all there is. */
  readonly isWhole: boolean;
}

/** Names for `--format`. */
export const RECORD_FORMATS = ['records-csv', 'records-json', 'records-sql', 'records-parquet'] as const;

const SAMPLE_VALUES = 50;
/** Columns that a log has and a record of an effect has not. */
const OF_LOGS: ReadonlySet<string> = new Set([
  'msg',
  'message',
  'level',
  'severity',
  'logger',
  'line',
  'log',
  'timestamp',
]);
/** Members of a BullMQ job as toJSON writes it. */
const OF_JOBS: readonly string[] = ['opts', 'returnvalue', 'stacktrace', 'attemptsmade', 'processedon'];
const SQL =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/;?)*(?:SET|BEGIN|COPY|INSERT|REPLACE|CREATE|DROP|ALTER|LOCK|SELECT|PRAGMA|USE|START)\b/i;
const SQL_ROWS = /^(?:COPY\s+\S+[^\n]*\bFROM\s+stdin|INSERT\s+INTO\s|REPLACE\s+INTO\s)/im;

export async function detectRecords(head: Uint8Array, options: DetectOptions): Promise<RecordSource | undefined> {
  if (isParquet(head)) return { kind: 'parquet', format: 'parquet', reason: 'starts with PAR1' };
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const first = text.trimStart().charAt(0);
  if (first === '{' || first === '[') return detectJson(head, text, options);
  if (SQL.test(text) && SQL_ROWS.test(text))
    return { kind: 'sql-dump', format: 'sql-dump', reason: 'holds rows of COPY or INSERT' };
  return detectCsv(head, options);
}

/** Columns of a table of text that was named like one and is no log; undefined for anything else. */
export function tableColumns(head: Uint8Array, isWhole: boolean, fileName: string): readonly string[] | undefined {
  if (!/\.(?:csv|tsv)$/i.test(fileName)) return undefined;
  const dialect = dialectOf(head, isWhole);
  if (dialect?.hasHeader !== true || dialect.names.some((name) => OF_LOGS.has(plainName(name)))) return undefined;
  return dialect.names;
}

function detectCsv(head: Uint8Array, options: DetectOptions): RecordSource | undefined {
  const dialect = dialectOf(head, options.isWhole);
  if (dialect === undefined) return undefined;
  if (!options.isGiven && !areRecords(dialect.names, dialect.sample, options)) return undefined;
  const separator = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[dialect.delimiter];
  const reason = `a table with ${dialect.names.length} columns between ${separator}${dialect.hasHeader ? '' : ', without a header'}`;
  return { kind: 'csv', format: dialect.delimiter === '\t' ? 'tsv' : 'csv', reason, dialect };
}

async function detectJson(head: Uint8Array, text: string, options: DetectOptions): Promise<RecordSource | undefined> {
  const firstLine = text.trimStart().split('\n', 1)[0] ?? '';
  const layout: JsonLayout = isObject(parse(firstLine)) ? 'lines' : 'document';
  const values = layout === 'lines' ? firstLines(text) : await firstObjects(head);
  const objects = values.filter(isObject);
  if (objects.length === 0) return undefined;
  const keys = objects.flatMap(({ key, value, type }) =>
    typeof key === 'string' && value !== undefined && typeof type === 'string' ? [key] : [],
  );
  const format = formatOf(objects, keys.length > 0, layout);
  const found: RecordSource = {
    kind: 'json',
    layout,
    format,
    reason: `JSON ${layout === 'lines' ? 'lines' : 'document'} of records`,
  };
  if (keys.length > 0) return keys.some(isRecordKey) || options.isGiven ? found : undefined;
  const names: string[] = [];
  const rows = objects.map((object) => {
    const cells: RecordCell[] = [];
    objectCells(object, (name, cell) => {
      const known = names.indexOf(name);
      cells[known < 0 ? names.push(name) - 1 : known] = cell === undefined ? undefined : cellOf(cell);
    });
    return cells;
  });
  return options.isGiven || areRecords(names, rows, options) ? found : undefined;
}

function areRecords(
  names: readonly string[],
  rows: readonly (readonly RecordCell[])[],
  options: DetectOptions,
): boolean {
  const map = mapColumns(names, rows, options.given, timeReaderOf(options));
  if (map === undefined || !looksLikeRecords(map)) return false;
  const plain = names.map((name) => plainName(name.slice(name.lastIndexOf('.') + 1)));
  if (map.columns.some(({ role, basis, column }) => role === 'key' && (basis === 'given' || isKeyName(column))))
    return true;
  return !plain.some((name) => OF_LOGS.has(name)) && plain.filter((name) => OF_JOBS.includes(name)).length < 2;
}

const MONGO = /"\$(?:oid|date|numberLong)"/;

function formatOf(objects: readonly Readonly<Record<string, unknown>>[], isRedis: boolean, layout: JsonLayout): string {
  if (isRedis) return 'redis-keys';
  const text = JSON.stringify(objects.slice(0, 5));
  if (MONGO.test(text)) return 'mongoexport';
  if (objects.every((object) => isObject(object.Item)) || /:\{"(?:S|N)":"/.test(text)) return 'dynamodb';
  return layout === 'lines' ? 'json-lines' : 'json';
}

function firstLines(text: string): unknown[] {
  return text
    .split('\n', SAMPLE_VALUES)
    .map(parse)
    .filter((value) => value !== undefined);
}

async function firstObjects(head: Uint8Array): Promise<unknown[]> {
  const values: unknown[] = [];
  const blocks = (async function* () {
    yield head;
  })();
  await readDocument(
    blocks,
    (value) => {
      if (values.length < SAMPLE_VALUES) values.push(value);
    },
    () => {
      // The head ends anywhere; what was read before is enough.
    },
  );
  return values;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
