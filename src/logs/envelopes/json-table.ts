/**
 * Shippers and stores that wrap a line in a JSON object of their own: how an object of theirs is known, and where the line,
 * its time and its origin stand. Paths may be dotted keys or nested ones; `tags#pod_name` is the entry `pod_name:…` of a
 * list of tags. Elements of larger documents (`framing/document-shapes.ts`) and rows of tables come through here too.
 */
import { isObject, type JsonObject } from '../fields/collect.js';
import { program } from './program.js';

export interface JsonWrapper {
  readonly name: string;
  /** Stands in every line of theirs; looked for in the head of a source, so that other sources pay nothing. */
  readonly mark: RegExp;
  when(object: JsonObject): boolean;
  /** The line as text. */
  readonly text: readonly string[];
  /** Where the record stands once the store has parsed it, whole or without its text. `''`: in the object itself. */
  readonly parsed?: readonly string[];
  readonly time: readonly string[];
  readonly container?: readonly string[] | ((object: JsonObject) => string | undefined);
  readonly host?: readonly string[];
  readonly pid?: readonly string[];
  readonly stream?: readonly string[];
  readonly late?: true;
  readonly anyOrder?: true;
  /** An object of theirs that holds no record: a partial result shown again later, the end mark of an export. */
  skip?(object: JsonObject): boolean;
  /** The line goes on in the next object. */
  part?(object: JsonObject): boolean;
}

const POD = [
  'kubernetes.pod_name',
  'kubernetes.pod.name',
  'podName',
  'pod',
  'ecs_task_arn',
  'container_name',
  'kubernetes.container_name',
  'container.name',
  'container_id',
  'container.id',
];
const LABELS = ['pod', 'pod_name', 'k8s_pod_name', 'kubernetes_pod_name', 'container_name', 'container', 'instance'];
const HOST_LABELS = ['host', 'hostname', 'nodename', 'node_name'];

const under = (root: string, paths: readonly string[]): string[] => paths.map((path) => `${root}.${path}`);
const isText = (value: unknown): value is string => typeof value === 'string';

export const JSON_TABLE: readonly JsonWrapper[] = [
  {
    name: 'journald',
    mark: /"__REALTIME_TIMESTAMP"/,
    when: (o) => o.__REALTIME_TIMESTAMP !== undefined,
    text: ['MESSAGE'],
    time: ['_SOURCE_REALTIME_TIMESTAMP', '__REALTIME_TIMESTAMP'],
    container: ['CONTAINER_NAME'],
    host: ['_HOSTNAME'],
    pid: ['_PID', 'SYSLOG_PID'],
    // Docker's journald driver splits at 16 KiB.
    part: (o) => o.CONTAINER_PARTIAL_MESSAGE === 'true',
  },
  {
    name: 'gcp',
    mark: /"(?:jsonPayload|textPayload)"/,
    when: (o) => o.logName !== undefined || o.insertId !== undefined || o.receiveTimestamp !== undefined,
    text: ['textPayload'],
    parsed: ['jsonPayload'],
    time: ['timestamp', 'receiveTimestamp'],
    container: ['resource.labels.pod_name', 'resource.labels.instance_id', 'resource.labels.container_name'],
    late: true,
    anyOrder: true,
  },
  {
    name: 'elasticsearch',
    mark: /"_source":|"_index":/,
    when: (o) => isObject(o._source) || (isText(o._index) && isObject(o.fields)),
    text: under('_source', ['event.original', 'message', 'log']).concat(under('fields', ['event.original', 'message'])),
    parsed: ['_source.json', '_source', 'fields'],
    time: ['_source.@timestamp', '_source.timestamp', 'fields.@timestamp'],
    container: under('_source', POD).concat(under('fields', POD)),
    host: ['_source.host.hostname', '_source.host.name', '_source.kubernetes.host', 'fields.host.hostname'],
    late: true,
    anyOrder: true,
  },
  {
    name: 'splunk',
    mark: /"_raw":|"preview":/,
    when: (o) => isObject(o.result) || o.preview !== undefined || isText(o._raw) || Array.isArray(o._raw),
    text: ['result._raw', '_raw'],
    parsed: ['result'],
    time: ['result._time', '_time'],
    host: ['result.host', 'host'],
    late: true,
    anyOrder: true,
    skip: (o) => o.preview === true || (o.preview !== undefined && !isObject(o.result)),
  },
  {
    name: 'splunk-hec',
    mark: /"sourcetype":/,
    when: (o) => o.event !== undefined && o.sourcetype !== undefined,
    text: ['event'],
    parsed: ['event'],
    time: ['time'],
    host: ['host'],
    late: true,
  },
  {
    name: 'loki',
    mark: /"line":/,
    when: (o) => isText(o.line) && o.timestamp !== undefined,
    text: ['line'],
    parsed: ['parsed', 'fields'],
    time: ['timestamp'],
    container: under('labels', LABELS).concat(under('fields', LABELS)),
    host: under('labels', HOST_LABELS),
    late: true,
    anyOrder: true,
  },
  {
    name: 'datadog',
    mark: /"ddsource"|"attributes":|"content":/,
    when: (o) =>
      (isObject(o.attributes) && (o.type === 'log' || o.date !== undefined || o._id !== undefined)) ||
      (isObject(o.content) && o.id !== undefined),
    text: ['attributes.message', 'content.message', 'message'],
    parsed: ['attributes.attributes', 'content.attributes', 'attributes'],
    time: ['attributes.timestamp', 'content.timestamp', 'date', 'timestamp'],
    container: ['attributes.tags', 'content.tags', 'tags'].flatMap((tags) =>
      ['pod_name', 'task_arn', 'container_name', 'container_id'].map((tag) => `${tags}#${tag}`),
    ),
    host: ['attributes.host', 'content.host', 'host'],
    late: true,
    anyOrder: true,
  },
  {
    name: 'cloudwatch',
    mark: /"(?:ingestionTime|logStreamName|logStream)":/,
    when: (o) => isText(o.message) && typeof o.timestamp === 'number',
    text: ['message'],
    time: ['timestamp'],
    container: ['logStreamName', 'logStream'],
    late: true,
    anyOrder: true,
  },
  {
    name: 'otlp',
    mark: /"otlp":/,
    when: (o) => isObject(o.otlp),
    text: ['otlp.body'],
    parsed: ['otlp.body', 'otlp.attributes'],
    time: ['otlp.time'],
    container: under('otlp.resource', ['k8s.pod.name', 'container.name', 'container.id', 'service.instance.id']),
    host: ['otlp.resource.host.name'],
    pid: ['otlp.resource.process.pid'],
    anyOrder: true,
  },
  {
    name: 'pm2-json',
    mark: /"app_name":/,
    when: (o) => isText(o.message) && o.process_id !== undefined,
    text: ['message'],
    time: ['timestamp'],
    container: (o) => `${o.app_name}:${o.process_id}`,
    stream: ['type'],
  },
  {
    name: 'vector',
    mark: /"source_type":/,
    when: (o) => o.message !== undefined && o.source_type !== undefined,
    text: ['message'],
    parsed: ['message', ''],
    time: ['timestamp'],
    container: POD,
    host: ['host'],
    late: true,
  },
  {
    name: 'stern-json',
    mark: /"podName":|"pod":/,
    when: (o) => o.message !== undefined && (o.podName !== undefined || (isText(o.pod) && isText(o.container))),
    text: ['message'],
    parsed: ['message'],
    time: [],
    container: ['podName', 'pod'],
  },
  {
    name: 'fluent',
    mark: /"log":/,
    when: (o) => isText(o.log) && (o.date !== undefined || isObject(o.kubernetes) || o.container_id !== undefined),
    text: ['log'],
    time: ['date', 'time', '@timestamp'],
    container: POD,
    host: ['kubernetes.host'],
    stream: ['stream', 'source'],
    late: true,
  },
  {
    name: 'betterstack',
    mark: /"dt":/,
    when: (o) => isText(o.dt) && (isText(o.raw) || isText(o.message)),
    text: ['raw', 'message'],
    parsed: [''],
    time: ['dt'],
    late: true,
    anyOrder: true,
  },
  {
    name: 'papertrail',
    mark: /"source_name":/,
    when: (o) => isText(o.message) && o.source_name !== undefined,
    text: ['message'],
    time: ['generated_at', 'received_at'],
    container: (o) => (isText(o.program) ? program(o.program, undefined).container : undefined),
    host: ['source_name'],
    anyOrder: true,
  },
  {
    name: 'table',
    mark: /"table":/,
    when: (o) => isObject(o.table),
    // Columns are reduced to lower case (`framing/table-row.ts`).
    text: under('table', [
      '@message',
      '_raw',
      'message',
      'line',
      'log',
      'logmessage',
      'logentry',
      'msg',
      'raw',
      'body',
    ]),
    parsed: ['table'],
    time: under('table', [
      'tsns',
      '@timestamp',
      '_time',
      'timegenerated',
      'timestamp',
      'generated_at',
      'datetime',
    ]).concat(under('table', ['date', 'time', 'dt', 'ts', 'received_at', '@ingestiontime'])),
    container: under('table', ['@logstream', 'podname', 'pod name', 'labels', ...POD, ...LABELS, 'containername']),
    host: under('table', ['host', 'hostname', 'host.name', 'host.hostname', 'computer', 'source_name']),
    stream: ['table.stream'],
    late: true,
    anyOrder: true,
  },
];
