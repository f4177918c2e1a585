/**
 * A JSON object as cells. Exports wrap values in their types: MongoDB's Extended JSON (`{"$date": …}`), DynamoDB's attribute
 * values (`{"S": …}`). What is nested gets the path as its name.
 */
import type { RecordCell } from '../cell.js';
import { NULL_TEXTS } from '../cell.js';

type JsonObject = Readonly<Record<string, unknown>>;

const MOST_LEVELS = 4;
const MOST_CELLS = 500;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Extended JSON, canonical and relaxed. */
const MONGO = ['$oid', '$date', '$numberLong', '$numberInt', '$numberDouble', '$numberDecimal', '$uuid'] as const;
const DYNAMO_SCALARS = ['S', 'N', 'B'] as const;

/** Tells `put` each value by its name. */
export function objectCells(object: JsonObject, put: (name: string, cell: RecordCell) => void): void {
  let left = MOST_CELLS;
  const walk = (value: unknown, name: string, levels: number): void => {
    if (left-- <= 0) return;
    const plain = unwrapped(value);
    if (isObject(plain) && levels > 0) {
      for (const [key, inner] of Object.entries(plain)) walk(inner, name === '' ? key : `${name}.${key}`, levels - 1);
    } else put(name, cellOfJson(plain));
  };
  walk(innerItem(object), '', MOST_LEVELS);
}

/** A DynamoDB export to S3 has one item a line, each in an object of its own. */
function innerItem(object: JsonObject): unknown {
  const { Item: item } = object;
  return isObject(item) && Object.keys(object).length === 1 ? item : object;
}

function unwrapped(value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const [only] = names;
  if (names.length !== 1 || only === undefined) return value;
  if (MONGO.some((name) => name === only)) return unwrapped(value[only]);
  if (DYNAMO_SCALARS.some((name) => name === only) && typeof value[only] === 'string') return value[only];
  if (only === 'BOOL' && typeof value[only] === 'boolean') return value[only];
  if (only === 'NULL' && value[only] === true) return null;
  if (only === 'M' && isObject(value[only])) return value[only];
  return value;
}

function cellOfJson(value: unknown): RecordCell {
  if (value === null || value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return NULL_TEXTS.includes(text) ? undefined : text;
}
