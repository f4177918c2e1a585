/**
 * What was asked for and not found, and what was only counted. A snapshot shows by its silence that a key is not there; of
 * a transcript only an answer says so.
 */
import type { EvidenceSink } from '../../../model/evidence.js';
import type { AbsentFact, CountFact } from '../../../model/fact.js';
import { parseQueueKey } from '../../keyspace.js';
import type { QueueKeys } from '../../queue-keys.js';
import type { AnswerPlace, HeldKey } from './answer-book.js';
import { wordText } from './question.js';

interface Telling {
  readonly keys: QueueKeys;
  readonly sink: EvidenceSink;
}

/** @param activeAt when each job was last seen in active, by database and key of its lock. */
export function tellAbsence(held: HeldKey, activeAt: ReadonlyMap<string, number>, telling: Telling): void {
  const { kind, key, db, absent } = held;
  const found = parseQueueKey(wordText(key), kind);
  if (found === undefined || !telling.keys.gate.takes(found)) return;
  if (found.what === 'lock' && absent !== undefined) {
    const lastActive = activeAt.get(`${db} ${key}`);
    const whileActive = lastActive !== undefined && lastActive >= absent.moment;
    tellAbsent({ jobKey: found.jobKey }, 'lock', absent, telling, whileActive);
  } else if (found.what === 'job' && absent !== undefined) {
    tellAbsent({ jobKey: found.jobKey }, 'hash', absent, telling);
  } else if (found.what === 'set') {
    for (const [job, place] of held.missing) {
      tellAbsent({ base: found.base, job: wordText(job) }, found.set, place, telling);
    }
    tellCount(held, found.base, found.set, telling);
  } else if (found.what === 'events' && held.state === undefined) tellCount(held, found.base, 'events', telling);
}

function tellAbsent(
  of: { readonly jobKey: string } | { readonly base: string; readonly job: string },
  what: AbsentFact['what'],
  { offset }: AnswerPlace,
  { keys, sink }: Telling,
  whileActive = false,
): void {
  keys.book.whenKnown({
    of,
    orphan: 'told-under-prefix',
    tell: (name, cut) => {
      const job = 'job' in of ? of.job : cut;
      sink.fact({ type: 'absent', ...name, job, what, offset, ...(whileActive ? { whileActive } : {}) });
    },
  });
}

function tellCount({ count }: HeldKey, base: string, of: CountFact['of'], { keys, sink }: Telling): void {
  if (count === undefined) return;
  const { n, place } = count;
  keys.book.whenKnown({
    of: { base },
    orphan: 'told-under-prefix',
    tell: (name) => sink.fact({ type: 'count', ...name, of, count: n, offset: place.offset }),
  });
}
