/** Records whose parts a document keeps apart (labels outside, names outside, pairs of name and value) as one object. */
import { isObject, type JsonObject } from '../fields/collect.js';
import { namedRow } from './table-row.js';

/** CloudWatch's subscriptions: the stream stands once for all its events; control messages only ask whether we are there. */
export function streamed(entry: unknown, { logStream, logGroup, messageType }: JsonObject): JsonObject | undefined {
  if (!isObject(entry) || messageType === 'CONTROL_MESSAGE') return undefined;
  return { ...entry, logStream, logGroup };
}

/** CloudWatch Insights: a row is a list of `{field, value}`. */
export function insightsRow(entry: unknown): JsonObject | undefined {
  if (!Array.isArray(entry)) return undefined;
  const pairs = entry.filter(isObject);
  return {
    table: namedRow(
      pairs.map(({ field }) => String(field)),
      pairs.map(({ value }) => value),
    ),
  };
}

/** Loki: `[ns, line]`, or with parsed fields behind, below the labels of their stream. */
export function labelled(entry: unknown, { stream }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [timestamp, line, more]: unknown[] = entry;
  return { labels: stream, line, timestamp, ...(isObject(more) && { parsed: more.parsed }) };
}

/** Azure: cells in a list, their names in another. */
export function tableRow(entry: unknown, { columns }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(entry) || !Array.isArray(columns)) return undefined;
  return {
    table: namedRow(
      columns.map((column: unknown) => (isObject(column) ? String(column.name) : '')),
      entry,
    ),
  };
}

/** OTLP: values wrapped in an object that names their type, attributes in a list. */
export function otlpRecord(entry: unknown, { resource }: JsonObject): JsonObject | undefined {
  if (!isObject(entry)) return undefined;
  const { timeUnixNano, observedTimeUnixNano, severityText, severityNumber } = entry;
  const time = Number(timeUnixNano) > 0 ? timeUnixNano : observedTimeUnixNano;
  const severity = severityText ?? severityName(Number(severityNumber));
  return {
    otlp: {
      time: time === undefined ? undefined : String(time),
      body: plainValue(entry.body),
      attributes: { ...attributesOf(entry.attributes), severity },
      resource: attributesOf(isObject(resource) ? resource.attributes : undefined),
    },
  };
}

function severityName(number: number): string | undefined {
  return number >= 1 && number <= 24
    ? ['trace', 'debug', 'info', 'warn', 'error', 'fatal'][Math.floor((number - 1) / 4)]
    : undefined;
}

function attributesOf(list: unknown): JsonObject {
  if (!Array.isArray(list)) return {};
  return Object.fromEntries(list.filter(isObject).map(({ key, value }) => [String(key), plainValue(value)]));
}

const MAX_DEPTH = 6;

function plainValue(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  const { kvlistValue, arrayValue, intValue } = value;
  if (isObject(kvlistValue) && Array.isArray(kvlistValue.values))
    return Object.fromEntries(
      kvlistValue.values.filter(isObject).map((pair) => [String(pair.key), plainValue(pair.value, depth + 1)]),
    );
  if (isObject(arrayValue) && Array.isArray(arrayValue.values))
    return arrayValue.values.map((item: unknown) => plainValue(item, depth + 1));
  if (intValue !== undefined) return Number.isSafeInteger(Number(intValue)) ? Number(intValue) : String(intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? value.bytesValue;
}
