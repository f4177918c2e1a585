/** A row of the table of JSON wrappers as an envelope: the line out of an object of theirs. */
import type { TimeReader } from '../../time/index.js';
import { collectFields, isObject, type JsonObject } from '../fields/collect.js';
import { parseJson } from '../fields/pairs.js';
import { at } from '../formats/read-json.js';
import { defineEnvelope, type Envelope } from './define-envelope.js';
import { JSON_TABLE, type JsonWrapper } from './json-table.js';

export const JSON_WRAPPERS: readonly Envelope[] = JSON_TABLE.map((row) =>
  defineEnvelope({
    name: row.name,
    head: { mark: row.mark, minShare: 0 },
    ...(row.late && { late: row.late }),
    ...(row.anyOrder && { anyOrder: row.anyOrder }),
    recognise: (line, code) => code === 123 && row.mark.test(line),
    peel(line, { time }) {
      const object = parsedOnce(line);
      if (!object || !row.when(object)) return undefined;
      if (row.skip?.(object)) return { payload: '' };
      const payload = payloadOf(object, row);
      if (payload === undefined) return undefined;
      const container =
        typeof row.container === 'function' ? row.container(object) : firstText(object, row.container ?? []);
      const pid = Number(firstText(object, row.pid ?? []));
      return {
        payload,
        time: timeOf(object, row.time, (value) => time.value(value)),
        container,
        // What runs in a container calls itself by another name than the node it runs on.
        host: container === undefined ? firstText(object, row.host ?? []) : undefined,
        pid: Number.isInteger(pid) && pid > 0 ? pid : undefined,
        stream: firstText(object, row.stream ?? []),
        part: row.part?.(object) ?? false,
      };
    },
  }),
);

/** The last line that was parsed: several rows may look at the same one. */
let lastLine = '';
let lastObject: JsonObject | undefined;

function parsedOnce(line: string): JsonObject | undefined {
  if (line !== lastLine) {
    lastObject = parseJson(line);
    lastLine = line;
  }
  return lastObject;
}

/** Whether a row of a table has a time and a message, by the names of its columns. */
export function holdsLogRow(object: JsonObject, time: TimeReader): boolean {
  const table = JSON_TABLE.find(({ name }) => name === 'table');
  return (
    table !== undefined &&
    lineAt(object, table.text) !== undefined &&
    timeOf(object, table.time, (value) => time.value(value)) !== undefined
  );
}

/**
 * The line of the application. A store may have parsed it and kept the words alone as its message: where the words are no
 * record of their own and the parsed fields tell of a job, they go on together.
 */
function payloadOf(object: JsonObject, row: JsonWrapper): string | undefined {
  const text = lineAt(object, row.text);
  if (text !== undefined && /^\s*\{.*\}\s*$/s.test(text)) return text.trim();
  for (const path of row.parsed ?? []) {
    const parsed = path === '' ? object : at(object, path);
    if (!isObject(parsed)) continue;
    if (text === undefined) return JSON.stringify(flat(parsed));
    const rest: Record<string, unknown> = { ...flat(parsed) };
    // The collector's time, which is no time of the record.
    if (row.late) for (const time of row.time) delete rest[time.slice(path === '' ? 0 : path.length + 1)];
    if (tellsOfJob(rest)) return JSON.stringify({ ...rest, message: text });
  }
  return text;
}

/** `fields` of Elasticsearch holds every value as a list. */
function flat(object: JsonObject): JsonObject {
  const values = Object.values(object);
  if (values.length === 0 || !values.every((value) => Array.isArray(value))) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, Array.isArray(value) ? value[0] : value]),
  );
}

function tellsOfJob(object: JsonObject): boolean {
  const { jobs, jobName, queue, attempt, token, event, error, errorText, errorStack } = collectFields(object);
  return [jobs, jobName, queue, attempt, token, event, error, errorText, errorStack].some((it) => it !== undefined);
}

/** The first text at the paths: a string, the first of a repeated field, or the bytes that journald gives for one. */
function lineAt(object: JsonObject, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const value = at(object, path);
    if (typeof value === 'string') return value.replace(/\r?\n$/, '');
    if (!Array.isArray(value) || value.length === 0) continue;
    // journald writes a message with control bytes, such as colours, as a list of numbers.
    if (value.every((byte) => typeof byte === 'number')) return Buffer.from(value).toString('utf8');
    if (typeof value[0] === 'string') return value[0].replace(/\r?\n$/, '');
  }
  return undefined;
}

function timeOf<T>(
  object: JsonObject,
  paths: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const path of paths) {
    const value = at(object, path);
    const hit = value === undefined ? undefined : read(Array.isArray(value) ? value[0] : value);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

const LABEL =
  /(?:^|[{,\s"])(?:pod|pod_name|k8s_pod_name|kubernetes_pod_name|container_name|container|instance)"?\s?[=:]\s?"([^"]{1,256})"/;

function firstText(object: JsonObject, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const hash = path.indexOf('#');
    const found = at(object, hash < 0 ? path : path.slice(0, hash));
    const value = hash < 0 || !Array.isArray(found) ? firstOf(found) : tagged(found, path.slice(hash + 1));
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string' || value === '' || value.length > 1024) continue;
    if (!value.startsWith('{')) return shortName(value);
    // The labels of a Loki stream, printed as one text.
    const label = LABEL.exec(value)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

function tagged(tags: readonly unknown[], name: string): string | undefined {
  const tag = tags.find((it): it is string => typeof it === 'string' && it.startsWith(`${name}:`));
  return tag?.slice(name.length + 1);
}

/** A task of ECS by its id, not by the whole address of it. */
function shortName(name: string): string | undefined {
  const short = name.startsWith('arn:') ? name.slice(name.lastIndexOf('/') + 1) : name;
  return short.length <= 256 ? short : undefined;
}
