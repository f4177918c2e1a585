/** Fields of a record where the configuration says they stand. */
import type { Config, TeamField } from '../../model/config.js';
import { assign } from '../fields/assign.js';
import { isObject, type JsonObject } from '../fields/collect.js';
import type { Role } from '../fields/roles.js';
import type { RecordFields } from '../record.js';

/** The usual name of a field and its role: a value found elsewhere is checked as if it had stood there. */
const USUAL: Readonly<Record<Exclude<TeamField, 'time' | 'level' | 'message'>, readonly [role: Role, key: string]>> = {
  job: ['job', 'jobId'],
  queue: ['queue', 'queue'],
  jobName: ['job-name', 'jobName'],
  attempt: ['attempt', 'attempt'],
  worker: ['worker', 'worker'],
  token: ['token', 'jobToken'],
  progress: ['progress', 'progress'],
  duration: ['duration', 'durationMs'],
  error: ['error', 'error'],
  host: ['host', 'host'],
  pid: ['pid', 'pid'],
  container: ['container', 'container'],
  event: ['event', 'event'],
};

export interface TeamFields {
  /** Puts what stands at the configured paths over what was found under the usual names. */
  collect(object: JsonObject, fields: RecordFields): void;
  readonly time: readonly string[];
  readonly level: readonly string[];
  readonly message: readonly string[];
}

export function createTeamFields({ fields = {} }: Config): TeamFields {
  const pathsOf = (name: TeamField): readonly string[] => {
    const paths = fields[name];
    return paths === undefined ? [] : typeof paths === 'string' ? [paths] : paths;
  };
  const rows = Object.entries(USUAL).flatMap(([name, [role, key]]) => {
    const paths = pathsOf(name as TeamField);
    return paths.length === 0 ? [] : [{ role, key, paths }];
  });
  return {
    collect(object, found) {
      if (rows.length === 0) return;
      const said: RecordFields = {};
      for (const { role, key, paths } of rows)
        for (const path of paths) {
          const value = valueAt(object, path);
          if (typeof value === 'string' || typeof value === 'number') assign(said, role, key, value);
          else if (role === 'job' && Array.isArray(value)) said.jobs ??= idsOf(value);
          else if (role === 'error' && isObject(value) && typeof value.message === 'string')
            said.errorText ??= value.message;
        }
      Object.assign(found, said);
    },
    time: pathsOf('time'),
    level: pathsOf('level'),
    message: pathsOf('message'),
  };
}

/** Sets one detail that a pattern's group told. */
export function assignGroup(fields: RecordFields, name: keyof typeof USUAL, value: string): void {
  const [role, key] = USUAL[name];
  assign(fields, role, key, value);
}

function idsOf(values: readonly unknown[]): string[] | undefined {
  const one: RecordFields = {};
  const ids = values.slice(0, 1000).flatMap((value) => {
    one.jobs = undefined;
    if (typeof value === 'string' || typeof value === 'number') assign(one, 'job', 'jobId', value);
    return one.jobs ?? [];
  });
  return ids.length > 0 ? ids : undefined;
}

/** The value at a path, written as one dotted key, as keys in keys, or partly so. Only an object's own keys count. */
export function valueAt(object: JsonObject, path: string): unknown {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const key = path.slice(0, dot);
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    if (!isObject(inner)) continue;
    const value = valueAt(inner, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}
