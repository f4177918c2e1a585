/**
 * Which queue a record belongs to when it does not say, or says it in other words than Redis.
 *
 * Worker lines often leave the queue out, and name it without the key prefix. A record without a queue takes the only queue
 * its process ever names, else the only queue in the whole evidence, else none: then its job stays apart from the jobs
 * Redis knows, rather than being joined to one by guess.
 */
import { EVENT_KINDS, PRECISIONS } from '../model/event.js';
import type { CaseFile } from './case-file.js';
import { dataField } from './data-field.js';

/**
 * Records of one process that stand in two sources (a log copied, rotated while it was copied, or shipped twice) are one
 * record. Only times to the millisecond under a named process make two records the same; the first source by path keeps it.
 */
const TWICE_SQL = `
    CREATE OR REPLACE TEMP TABLE spread AS
      SELECT p.id, dense_rank() OVER (ORDER BY p.host, p.pid, p.name, p.container) AS identity, s.path
      FROM processes p JOIN sources s ON s.id = p.source
      WHERE coalesce(p.host, p.container) IS NOT NULL OR (p.name IS NOT NULL AND p.pid IS NOT NULL);
    CREATE OR REPLACE TEMP TABLE twice AS
      WITH shared AS (SELECT identity FROM spread GROUP BY identity HAVING count(DISTINCT path) > 1),
      copies AS (
        SELECT e.rowid AS row_id, p.identity, p.path, e.line, e.kind, e.t, e.job, e.token, e.data, e.queue,
          row_number() OVER (PARTITION BY p.path, p.identity, e.kind, e.t, e.job, e.token, e.data, e.queue ORDER BY e.line) AS nth
        FROM events e JOIN spread p ON p.id = e.process JOIN shared USING (identity)
        WHERE e.t IS NOT NULL AND e.prec >= ${PRECISIONS.indexOf('ms')}
      )
      SELECT row_id, first_value(path) OVER same AS first_path FROM copies
      WINDOW same AS (PARTITION BY identity, kind, t, job, token, data, queue, nth ORDER BY path, line)
      QUALIFY row_number() OVER same > 1;`;

export interface QueueResolution {
  /** Records that stand in two sources and count once. */
  readonly twice: number;
  readonly queues: readonly string[];
  /** Queues that several databases have and logs name: it is open which is meant. */
  readonly ambiguous: readonly string[];
  /** Set when lines without a queue were taken for this one, the only queue in the evidence. */
  readonly assumedOnly?: string;
}

const NUMBERED = EVENT_KINDS.indexOf('numbered-line');
const DATABASE_MARK = / \[db \d+\]$/;
const withoutMark = (name: string): string => name.replace(DATABASE_MARK, '');
const lastSegment = (name: string): string => withoutMark(name).slice(name.lastIndexOf(':') + 1);

/** Who names a queue: a log (in its own words), an export that does not tell its database, Redis itself. */
const NAMED_BY = { log: 0, placeless: 1, redis: 2 } as const;

interface NamedQueue {
  readonly id: number;
  readonly text: string;
  readonly by: number;
}

async function readNamedQueues(file: CaseFile): Promise<NamedQueue[]> {
  const rows = await file.query(`
    SELECT s.id, s.text, max(u.named_by) AS named_by FROM (
      SELECT DISTINCT e.queue, CASE WHEN e.clock <> 0 THEN ${NAMED_BY.log}
        WHEN r.report->>'format' = 'xrange-json' THEN ${NAMED_BY.placeless} ELSE ${NAMED_BY.redis} END AS named_by
      FROM (SELECT DISTINCT queue, clock, source FROM events WHERE queue <> 0) e JOIN sources r ON r.id = e.source
      ${['job_facts', 'members', 'locks', 'meta', 'streams', 'absences', 'counts', 'connections']
        .map((table) => `UNION ALL SELECT DISTINCT queue, ${NAMED_BY.redis} FROM ${table}`)
        .join(' ')}
    ) u JOIN strings s ON s.id = u.queue GROUP BY s.id, s.text ORDER BY s.text, s.id`);
  return rows.map((row) => ({ id: Number(row.id), text: String(row.text), by: Number(row.named_by) }));
}

/** A queue that only one database has needs no mark of it: most systems keep all queues in one, whichever it is. */
async function dropNeedlessMarks(file: CaseFile, queues: readonly NamedQueue[]): Promise<NamedQueue[]> {
  const unmarked: NamedQueue[] = [];
  for (const queue of queues) {
    const text = withoutMark(queue.text);
    const isAlone = queues.every(
      (other) => other === queue || other.by !== NAMED_BY.redis || withoutMark(other.text) !== text,
    );
    if (text === queue.text || queue.by !== NAMED_BY.redis || !isAlone) {
      unmarked.push(queue);
      continue;
    }
    await file.run(`UPDATE strings SET text = regexp_replace(text, ' \\[db \\d+\\]$', '') WHERE id = ${queue.id}`);
    unmarked.push({ ...queue, text });
  }
  return unmarked;
}

/** The queue of Redis that a name stands for; the name's own where that is open. */
function meantBy(queue: NamedQueue, queues: readonly NamedQueue[]): number {
  if (queue.by === NAMED_BY.redis) return queue.id;
  const namesSame =
    queue.by === NAMED_BY.placeless
      ? (other: NamedQueue) => withoutMark(other.text) === queue.text
      : (other: NamedQueue) => lastSegment(other.text) === lastSegment(queue.text);
  const placed = queues.filter((other) => other.by === NAMED_BY.redis && namesSame(other));
  const others = queues.filter((other) => other.by === NAMED_BY.placeless && other !== queue && namesSame(other));
  const same = placed.length > 0 || queue.by === NAMED_BY.placeless ? placed : others;
  return same.length === 1 && same[0] ? same[0].id : queue.id;
}

/** The same for a log, which never says the database: where several have such a queue, none is meant. */
function meantByLog(queue: NamedQueue, queues: readonly NamedQueue[]): number {
  const same = queues.filter((other) => other.by === NAMED_BY.redis && withoutMark(other.text) === queue.text);
  return same.length > 1 ? 0 : meantBy(queue, queues);
}

/** Makes the temporary view `ev`: `events` with the resolved queue in column `q` (string id, 0 unknown)
 * and the kinds that `learnWords` found for a team's own words. `ev_all` has the numbered lines, too, of which nothing was learned. */
export async function resolveQueues(file: CaseFile): Promise<QueueResolution> {
  const queues = await dropNeedlessMarks(file, await readNamedQueues(file));
  const canonical = new Map(queues.map((queue) => [queue.id, meantBy(queue, queues)]));
  const distinct = [...new Set(canonical.values())];
  const only = distinct.length === 1 ? distinct[0] : undefined;
  const byLog = new Map(queues.map((queue) => [queue.id, meantByLog(queue, queues)]));
  const pairs = queues.map(({ id }) => `(${id}, ${canonical.get(id)}, ${byLog.get(id)})`).join(', ');
  // Only what Redis names is a queue for sure; a logger may be called anything.
  const named = queues
    .filter(({ by }) => by === NAMED_BY.redis)
    .map(({ id, text }) => [withoutMark(text), id] as const);
  const labels = [...named.filter(([text]) => named.filter(([other]) => other === text).length === 1), ['', 0] as const]
    .map(([text, id]) => `('${text.replaceAll("'", "''")}', ${id})`)
    .join(', ');

  await file.run(`
    CREATE OR REPLACE TEMP TABLE queue_map (id INTEGER, q INTEGER, log_q INTEGER);
    ${pairs === '' ? '' : `INSERT INTO queue_map VALUES ${pairs};`}
    CREATE OR REPLACE TEMP TABLE process_queue AS
      SELECT e.process, min(m.log_q) AS q FROM events e JOIN queue_map m ON m.id = e.queue
      WHERE e.process <> 0 GROUP BY e.process HAVING count(DISTINCT m.log_q) = 1;
    CREATE OR REPLACE TEMP TABLE label_queue AS
      SELECT s.id AS data, min(l.q) AS q FROM (SELECT id, ${dataField('text', 'label')} AS label FROM strings WHERE text LIKE '{%"label":"%') s
      JOIN (VALUES ${labels}) l(label, q) ON l.label = s.label GROUP BY s.id;
    ${TWICE_SQL}
    DELETE FROM learned;
    CREATE OR REPLACE TEMP VIEW ev_all AS
      SELECT e.* REPLACE (coalesce(w.kind, e.kind) AS kind), w.kind IS NOT NULL AS learned,
        CASE WHEN e.queue = 0 THEN coalesce(b.q, p.q, ${only ?? 0}) WHEN e.clock = 0 THEN m.q ELSE m.log_q END AS q
      FROM events e ANTI JOIN twice d ON d.row_id = e.rowid LEFT JOIN queue_map m ON m.id = e.queue
      LEFT JOIN learned w ON w.data = e.data AND e.kind IN (${EVENT_KINDS.indexOf('handler-line')}, ${NUMBERED})
      LEFT JOIN label_queue b ON e.queue = 0 AND e.clock <> 0 AND b.data = e.data
      LEFT JOIN process_queue p ON e.queue = 0 AND p.process = e.process;
    CREATE OR REPLACE TEMP VIEW ev AS FROM ev_all WHERE kind <> ${NUMBERED};`);
  const silent = await file.query('SELECT count(*) AS n FROM events WHERE queue = 0 AND job IS NOT NULL');
  const text = (id: number): string => queues.find((queue) => queue.id === id)?.text ?? '';
  const twice = await file.query('SELECT count(*) AS n FROM twice');
  return {
    twice: Number(twice[0]?.n),
    queues: distinct.map(text).sort(),
    ambiguous: await readAmbiguous(file),
    ...(only !== undefined && Number(silent[0]?.n) > 0 ? { assumedOnly: text(only) } : {}),
  };
}

async function readAmbiguous(file: CaseFile): Promise<string[]> {
  const rows = await file.query(`
    SELECT DISTINCT s.text FROM events e JOIN queue_map m ON m.id = e.queue JOIN strings s ON s.id = e.queue
    WHERE e.clock <> 0 AND m.log_q = 0 ORDER BY 1`);
  return rows.map((row) => String(row.text));
}
