/**
 * Shippers and stores that wrap a line in a JSON object of their own. A row says how an object of theirs is known and where
 * the line, its time and its origin stand; a line that is an object already goes on as JSON.
 */
import { isObject, type JsonObject } from '../fields/collect.js';
import { parseJson } from '../fields/pairs.js';
import { at } from '../formats/read-json.js';
import { defineEnvelope, type Envelope } from './define-envelope.js';

interface JsonWrapper {
  readonly name: string;
  /** Stands in every line of theirs; looked for in the head of a source, so that other sources pay nothing. */
  readonly mark: RegExp;
  when(object: JsonObject): boolean;
  readonly payload: readonly string[];
  readonly time: readonly string[];
  readonly container?: readonly string[];
  readonly host?: readonly string[];
  readonly pid?: readonly string[];
}

const POD = [
  'kubernetes.pod_name',
  'kubernetes.pod.name',
  'podName',
  'pod',
  'container_name',
  'kubernetes.container_name',
  'container_id',
];

const WRAPPERS: readonly JsonWrapper[] = [
  {
    name: 'journald',
    mark: /"__REALTIME_TIMESTAMP"/,
    when: (o) => o.__REALTIME_TIMESTAMP !== undefined,
    payload: ['MESSAGE'],
    time: ['_SOURCE_REALTIME_TIMESTAMP', '__REALTIME_TIMESTAMP'],
    container: ['CONTAINER_NAME'],
    host: ['_HOSTNAME'],
    pid: ['_PID', 'SYSLOG_PID'],
  },
  {
    name: 'gcp',
    mark: /"(?:jsonPayload|textPayload)"/,
    when: (o) => o.logName !== undefined || o.insertId !== undefined || o.receiveTimestamp !== undefined,
    payload: ['jsonPayload', 'textPayload'],
    time: ['timestamp', 'receiveTimestamp'],
    container: ['resource.labels.pod_name', 'resource.labels.instance_id', 'resource.labels.container_name'],
  },
  {
    name: 'elasticsearch',
    mark: /"_source":/,
    when: (o) => isObject(o._source),
    payload: ['_source.event.original', '_source.message', '_source'],
    time: ['_source.@timestamp'],
    container: POD.map((path) => `_source.${path}`),
    host: ['_source.host.hostname', '_source.host.name'],
  },
  {
    name: 'splunk',
    mark: /"_raw":/,
    when: (o) => isObject(o.result) && o.preview !== true,
    payload: ['result._raw'],
    time: ['result._time'],
    host: ['result.host'],
  },
  {
    name: 'splunk-hec',
    mark: /"sourcetype":/,
    when: (o) => o.event !== undefined && o.sourcetype !== undefined,
    payload: ['event'],
    time: ['time'],
    host: ['host'],
  },
  {
    name: 'loki',
    mark: /"line":/,
    when: (o) => typeof o.line === 'string' && o.timestamp !== undefined,
    payload: ['line'],
    time: ['timestamp'],
    container: ['labels.pod', 'labels.container', 'labels.instance'],
  },
  {
    name: 'datadog',
    mark: /"ddsource"|"attributes":\{|"status":"\w+","message"/,
    when: (o) => isObject(o.attributes) && (o.date !== undefined || o._id !== undefined),
    payload: ['attributes'],
    time: ['date', 'timestamp'],
    host: ['host'],
  },
  {
    name: 'pm2-json',
    mark: /"app_name":/,
    when: (o) => typeof o.message === 'string' && o.process_id !== undefined,
    payload: ['message'],
    time: ['timestamp'],
    container: ['app_name'],
  },
  {
    name: 'vector',
    mark: /"source_type":/,
    when: (o) => o.message !== undefined && o.source_type !== undefined,
    payload: ['message'],
    time: ['timestamp'],
    container: POD,
    host: ['host'],
  },
  {
    name: 'stern-json',
    mark: /"podName":/,
    when: (o) => o.message !== undefined && o.podName !== undefined,
    payload: ['message'],
    time: [],
    container: ['podName'],
  },
  {
    name: 'fluent',
    mark: /"log":/,
    when: (o) =>
      typeof o.log === 'string' && (o.date !== undefined || isObject(o.kubernetes) || o.container_id !== undefined),
    payload: ['log'],
    time: ['date', 'time', '@timestamp'],
    container: POD,
  },
  {
    name: 'betterstack',
    mark: /"raw":/,
    when: (o) => typeof o.raw === 'string' && o.dt !== undefined,
    payload: ['raw'],
    time: ['dt'],
  },
];

export const JSON_WRAPPERS: readonly Envelope[] = WRAPPERS.map((row) =>
  defineEnvelope({
    name: row.name,
    head: { mark: row.mark, minShare: 0 },
    recognise: (line, code) => code === 123 && row.mark.test(line),
    peel(line, { time }) {
      const object = parseJson(line);
      if (!object || !row.when(object)) return undefined;
      const payload = payloadOf(object, row);
      if (payload === undefined) return undefined;
      const pid = Number(first(object, row.pid ?? []));
      return {
        payload,
        time: timeOf(object, row.time, (value) => time.value(value)),
        container: text(first(object, row.container ?? [])),
        host: text(first(object, row.host ?? [])),
        pid: Number.isInteger(pid) && pid > 0 ? pid : undefined,
      };
    },
  }),
);

function payloadOf(object: JsonObject, row: JsonWrapper): string | undefined {
  const value = first(object, row.payload);
  if (typeof value === 'string') return value.replace(/\r?\n$/, '');
  // journald writes a message with control bytes, such as colours, as a list of numbers.
  if (Array.isArray(value) && value.every((byte) => typeof byte === 'number'))
    return Buffer.from(value).toString('utf8');
  return isObject(value) ? JSON.stringify(value) : undefined;
}

function timeOf<T>(
  object: JsonObject,
  paths: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const path of paths) {
    const value = at(object, path);
    const hit = value === undefined ? undefined : read(value);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function first(object: JsonObject, paths: readonly string[]): unknown {
  for (const path of paths) {
    const value = at(object, path);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 256 ? value : undefined;
}
