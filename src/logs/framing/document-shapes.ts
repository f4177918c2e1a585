/**
 * JSON documents that hold many records: where each keeps them (`log-formats` §4). A path is made of member names, `*`
 * stands for the elements of a list.
 */
import type { JsonObject } from '../fields/collect.js';
import { insightsRow, labelled, otlpRecord, streamed, tableRow } from './pack.js';

export interface DocumentShape {
  readonly name: string;
  readonly path: readonly string[];
  /** What stands in the text of every record, so that a list of an application's own is none. */
  readonly sign?: (text: string) => boolean;
  /** Members of what is around the records that belong to each of them. They stand before the records. */
  readonly with?: readonly string[];
  /** Brings a record into the form of a row of `envelopes/json-table.ts`; undefined for one that holds nothing. */
  readonly pack?: (entry: unknown, around: JsonObject) => JsonObject | undefined;
}

const has =
  (...names: readonly string[]) =>
  (text: string): boolean =>
    names.some((name) => text.includes(`"${name}"`));

export const DOCUMENT_SHAPES: readonly DocumentShape[] = [
  {
    name: 'cloudwatch-subscription',
    path: ['logEvents', '*'],
    with: ['logGroup', 'logStream', 'messageType'],
    pack: streamed,
  },
  // CloudWatch's filter-log-events and get-log-events, Papertrail's search.
  {
    name: 'events',
    path: ['events', '*'],
    sign: (text) => has('message')(text) && has('timestamp', 'received_at')(text),
  },
  {
    name: 'cloudwatch-insights',
    path: ['results', '*'],
    sign: (text) => text.startsWith('[') && has('field')(text),
    pack: insightsRow,
  },
  { name: 'splunk-results', path: ['results', '*'], sign: has('_raw', '_time') },
  { name: 'datadog', path: ['data', '*'], sign: (text) => has('dt')(text) || /"type"\s*:\s*"log"/.test(text) },
  { name: 'datadog-v1', path: ['logs', '*'], sign: has('content') },
  { name: 'loki', path: ['data', 'result', '*', 'values', '*'], with: ['stream'], pack: labelled },
  { name: 'elasticsearch', path: ['hits', 'hits', '*'] },
  { name: 'elasticsearch', path: ['responses', '*', 'hits', 'hits', '*'] },
  { name: 'gcp', path: ['entries', '*'], sign: has('logName', 'insertId') },
  {
    name: 'otlp',
    path: ['resourceLogs', '*', 'scopeLogs', '*', 'logRecords', '*'],
    with: ['resource'],
    pack: otlpRecord,
  },
  { name: 'azure', path: ['tables', '*', 'rows', '*'], with: ['columns'], pack: tableRow },
  // Collectors write traces and metrics into the same file.
  { name: 'otlp', path: ['resourceSpans', '*'], pack: () => undefined },
  { name: 'otlp', path: ['resourceMetrics', '*'], pack: () => undefined },
  { name: 'json-array', path: ['*'] },
];
