/** Which versions of BullMQ the evidence names: stack traces of workers, and `meta` of queues. */
import type { CaseFile } from './case-file.js';
import { dataField } from './data-field.js';

export interface SeenVersions {
  /** By the number of the worker, as `storeWorkers` counts. */
  readonly byWorker: ReadonlyMap<number, string>;
  readonly byQueue: ReadonlyMap<string, string>;
}

const VERSION = /^\d{1,3}(?:\.\d{1,4}){0,2}/;

/** A worker or queue with several versions has none: it was deployed anew. A bare major beside a full version adds nothing. */
export async function readVersions(file: CaseFile): Promise<SeenVersions> {
  const named = await file.query(`
    SELECT DISTINCT w.worker, v.version FROM (
      SELECT id, ${dataField('text', 'bullmq')} AS version FROM strings WHERE text LIKE '{%"bullmq":"%'
    ) v JOIN events e ON e.data = v.id
    JOIN worker_of w ON w.process = e.process AND e.line >= w.from_line AND e.line < w.to_line
    WHERE v.version IS NOT NULL ORDER BY w.worker, v.version`);
  const told = await file.query(`
    SELECT DISTINCT q.text AS queue, m.value FROM meta m JOIN strings q ON q.id = m.queue
    WHERE m.field = 'version' AND m.value LIKE 'bullmq:%' ORDER BY 1, 2`);
  return {
    byWorker: oneEach(named.map((row) => [Number(row.worker), String(row.version)])),
    byQueue: oneEach(told.map((row) => [String(row.queue), String(row.value).slice('bullmq:'.length)])),
  };
}

function oneEach<K>(pairs: readonly (readonly [K, string])[]): Map<K, string> {
  const all = new Map<K, Set<string>>();
  for (const [key, text] of pairs) {
    const version = VERSION.exec(text)?.[0];
    if (version !== undefined) all.set(key, (all.get(key) ?? new Set()).add(version));
  }
  const one = new Map<K, string>();
  for (const [key, versions] of all) {
    const full = [...versions].filter((version) => version.includes('.'));
    const [only, ...others] = full.length > 0 ? full : [...versions];
    if (only !== undefined && others.length === 0) one.set(key, only);
  }
  return one;
}
