/** Which process wrote a record: what the record says, what its transport says, and what the lines before it said. */
import type { ProcessIdentity } from '../model/event.js';
import type { Unwrapped } from './envelopes/envelopes.js';
import { ownString } from './own-string.js';
import type { RecordFields } from './record.js';

/** One object for each process of a source, so that identities can be compared by reference. */
export interface IdentityBook {
  of(fields: RecordFields, wrapping: Unwrapped | undefined): ProcessIdentity;
  /** The same for a line without wrapping whose fields are one object for all lines that say the same. */
  ofSame(fields: RecordFields): ProcessIdentity;
  /** One identity for all those of the same host, pid and container: lines of one process may or may not name a worker. */
  processOf(identity: ProcessIdentity): ProcessIdentity;
  /** Identities that were not kept apart because there were too many. */
  readonly overflow: number;
}

/** Identities come from the evidence: only so many are kept. Lines of any others are read as of an unknown process. */
const MAX_IDENTITIES = 20_000;

const ANONYMOUS: ProcessIdentity = {};

export function createIdentityBook(): IdentityBook {
  const known = new Map<string, ProcessIdentity>();
  /** Last identity with a host or pid: by transport prefix, and of the lines without one. */
  const lastBy = new Map<string, ProcessIdentity>();
  let lastBare: ProcessIdentity | undefined;
  const lastIn = new Map<string, ProcessIdentity>();
  /** First identity of each host, pid and container, by any identity of it. */
  const firsts = new Map<ProcessIdentity, ProcessIdentity>();
  const byPlace = new Map<string, ProcessIdentity>();
  /** Identities of fields that name a process whatever the lines before them said. */
  const fixed = new Map<RecordFields, ProcessIdentity>();
  let full = 0;
  let overflow = 0;
  /** The identity given out last: most lines come from the same process as the one before. */
  let recent: ProcessIdentity = ANONYMOUS;

  function of(fields: RecordFields, wrapping: Unwrapped | undefined): ProcessIdentity {
    // A host with a port is the far end of a connection.
    const host = (fields.port === undefined ? fields.host : undefined) ?? wrapping?.host;
    const pid = fields.pid ?? wrapping?.pid;
    const name = fields.worker ?? ownName(fields.label);
    const container = fields.container ?? wrapping?.container;
    const key = wrapping === undefined ? '' : `${wrapping.container ?? ''} ${wrapping.host ?? ''}`;
    if (host === undefined && pid === undefined) {
      const last = inherited(key, name, container);
      if (last) return last;
      if (name === undefined && container === undefined) return ANONYMOUS;
    }
    const identity = intern(host, pid, name, container);
    if (host !== undefined || pid !== undefined) noteLast(key, identity, container);
    return identity;
  }

  function ofSame(fields: RecordFields): ProcessIdentity {
    const known = fixed.get(fields);
    if (known !== undefined) {
      noteLast('', known, fields.container);
      return known;
    }
    const identity = of(fields, undefined);
    const namesProcess = fields.pid !== undefined || (fields.host !== undefined && fields.port === undefined);
    if (namesProcess && identity !== ANONYMOUS && fixed.size < MAX_IDENTITIES) fixed.set(fields, identity);
    return identity;
  }

  function noteLast(key: string, identity: ProcessIdentity, container: string | undefined): void {
    if (key === '') lastBare = identity;
    else lastBy.set(key, identity);
    if (container !== undefined) lastIn.set(container, identity);
  }

  function intern(host?: string, pid?: number, name?: string, container?: string): ProcessIdentity {
    if (recent.pid === pid && recent.host === host && recent.name === name && recent.container === container)
      return recent;
    recent = lookUp(host, pid, name, container);
    return recent;
  }

  function lookUp(host?: string, pid?: number, name?: string, container?: string): ProcessIdentity {
    const key = `${host ?? ''}\n${pid ?? ''}\n${name ?? ''}\n${container ?? ''}`;
    const found = known.get(key);
    if (found) return found;
    if (known.size >= MAX_IDENTITIES) {
      overflow++;
      return ANONYMOUS;
    }
    const identity: ProcessIdentity = {
      ...(host !== undefined && { host: ownString(host) }),
      ...(pid !== undefined && { pid }),
      ...(name !== undefined && { name: ownString(name) }),
      ...(container !== undefined && { container: ownString(container) }),
    };
    known.set(key, identity);
    if (host !== undefined || pid !== undefined) {
      full++;
      const place = `${host ?? ''}\n${pid ?? ''}\n${container ?? ''}`;
      const first = byPlace.get(place);
      if (first) firsts.set(identity, first);
      else byPlace.set(place, identity);
    }
    return identity;
  }

  /** Stack blocks and console lines carry no identity of their own. */
  function inherited(
    key: string,
    name: string | undefined,
    container: string | undefined,
  ): ProcessIdentity | undefined {
    const last =
      (key === '' ? lastBare : lastBy.get(key)) ?? (container === undefined ? undefined : lastIn.get(container));
    if (!last || (key.trim() === '' && container === undefined && full > 1)) return undefined;
    if (name !== undefined && last.name !== undefined && last.name !== name) return undefined;
    if (container !== undefined && last.container !== undefined && last.container !== container) return undefined;
    return name === undefined || last.name === name
      ? last
      : intern(last.host, last.pid, name, last.container ?? container);
  }

  return {
    of,
    ofSame,
    processOf: (identity) => (firsts.size === 0 ? identity : (firsts.get(identity) ?? identity)),
    get overflow() {
      return overflow;
    },
  };
}

/**
 * A logger's name says who writes only if it tells one worker from the next: `mailer-2`, `mailer:3`. `MailProcessor` or
 * `report-worker` is shared by all of them, and the file's name is better.
 */
function ownName(label: string | undefined): string | undefined {
  if (label === undefined || label.length > 80 || !/(?:\d|[-_.:# ][a-z])$/.test(label)) return undefined;
  return /(?:worker|consumer|processor|runner|instance|replica|node)s?[-_.:# ]?(?:\d{1,4}|[a-z])$|^[a-z][\w-]{0,40}[:#]\d{1,4}$/.test(
    label,
  )
    ? label
    : undefined;
}
