/**
 * The same event by several routes: a stream entry stands in the snapshot, in the AOF and in a MONITOR capture, a renewal in the
 * AOF and in MONITOR. It counts once, and the report says by which routes it was seen.
 *
 * RDB, XRANGE and AOF show the id of an entry, which is its name. MONITOR shows the command a moment before or after that id,
 * and a lock's expiry reckoned from its own time, so its record is the same event when one of that kind lies beside it. Without
 * an id, a source tells no event twice: two records of one source are two events.
 */
import { LEDGER_KINDS, SAME_EVENT_MS } from '../model/event.js';
import type { StoredEvent } from '../model/stored.js';

/** An event, and the other records that tell of it. */
export interface Told {
  readonly event: StoredEvent;
  readonly also: readonly StoredEvent[];
}

interface Draft {
  event: StoredEvent;
  readonly also: StoredEvent[];
  /** Place of its first record among all. */
  readonly place: number;
}

/** The records of one job, each event once, in the order of time and then as they came. */
export function tellOnce(events: readonly StoredEvent[]): Told[] {
  const drafts: Draft[] = [];
  const groups = new Map<string, Draft[]>();
  const byId = new Map<string, Draft>();
  events.forEach((event, place) => {
    const draft: Draft = { event, also: [], place };
    if (event.clock !== 'redis' || event.t === undefined) {
      drafts.push(draft);
      return;
    }
    const id = hasId(event) ? `${event.kind} ${event.t}-${event.line}` : undefined;
    const known = id === undefined ? undefined : byId.get(id);
    if (known) {
      adopt(known, draft);
      return;
    }
    if (id !== undefined) byId.set(id, draft);
    const key = LEDGER_KINDS.has(event.kind) ? `${event.kind} ${event.token}` : event.kind;
    const group = groups.get(key);
    if (group) group.push(draft);
    else groups.set(key, [draft]);
  });
  for (const group of groups.values()) drafts.push(...joinRoutes(group));
  return drafts.sort((a, b) => (a.event.t ?? 0) - (b.event.t ?? 0) || a.place - b.place);
}

/** The events alone. */
export const eachOnce = (events: readonly StoredEvent[]): StoredEvent[] => tellOnce(events).map(({ event }) => event);

const isMonitor = (event: StoredEvent): boolean => event.source.format === 'monitor';
const hasId = (event: StoredEvent): boolean => !isMonitor(event) && !LEDGER_KINDS.has(event.kind);

/** Where an event stands among those of its kind, ms: an expiry is exact where the time of the command is not. */
const pointOf = ({ kind, data, t }: StoredEvent): number =>
  (LEDGER_KINDS.has(kind) ? data.expiresAtMs : undefined) ?? t ?? 0;

const byPoint = (a: Draft, b: Draft): number => pointOf(a.event) - pointOf(b.event) || a.event.line - b.event.line;

/** Joins the records of one kind (and, of locks, of one token), source by source; all entries with ids are one source. */
function joinRoutes(group: readonly Draft[]): Draft[] {
  const bySource = new Map<number, Draft[]>();
  for (const draft of group) {
    const source = hasId(draft.event) ? 0 : draft.event.source.id;
    bySource.set(source, [...(bySource.get(source) ?? []), draft]);
  }
  if (bySource.size === 1) return [...group];
  let joined: Draft[] = [];
  for (const [, drafts] of [...bySource].sort(([a], [b]) => a - b)) {
    joined = [...joined, ...bring(drafts.sort(byPoint), joined)].sort(byPoint);
  }
  return joined;
}

/** Brings the records of one more source to those joined, each to at most one; returns the ones that stand alone. */
function bring(drafts: readonly Draft[], joined: readonly Draft[]): Draft[] {
  let next = 0;
  return drafts.filter((draft) => {
    const point = pointOf(draft.event);
    let match = joined[next];
    while (match !== undefined && pointOf(match.event) < point - SAME_EVENT_MS) match = joined[++next];
    if (match === undefined || pointOf(match.event) > point + SAME_EVENT_MS) return true;
    adopt(match, draft);
    next++;
    return false;
  });
}

/** Of two records of one event the one that tells more stands for it; what only the other one tells is added. */
function adopt(into: Draft, { event, also }: Draft): void {
  const { event: known } = into;
  const [kept, other] = tellsMore(event, known) ? [event, known] : [known, event];
  into.also.push(other, ...also);
  const token = kept.token ?? other.token;
  into.event = { ...kept, data: { ...other.data, ...kept.data }, ...(token === undefined ? {} : { token }) };
}

/**
 * AOF shows the token of an activation, a snapshot's stream does not. Of a lock MONITOR shows the time to the microsecond, and
 * the client.
 */
function tellsMore(event: StoredEvent, known: StoredEvent): boolean {
  if (LEDGER_KINDS.has(event.kind)) return isMonitor(event) && !isMonitor(known);
  return hasId(event) && event.token !== undefined && known.token === undefined;
}
