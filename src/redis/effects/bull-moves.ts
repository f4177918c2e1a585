/**
 * Moves of Bull's jobs that its scripts publish without the job, or not at all.
 *
 * A failed attempt is put back by moveToDelayed (ZADD delayed, PUBLISH of the due time alone) or retryJob (no PUBLISH); a
 * manual retry publishes the job as waiting, but not that it was failed (reprocessJob: ZREM from the set it stood in). The
 * commands of the script tell both (Bull 3 and 4, lib/commands).
 */
import { DEFAULT_PREFIX } from '../keyspace.js';
import type { Effect, EntryEffect, OwnEvent, PutEffect } from './effect.js';
import type { QueueNames } from './queue-names.js';

/** The effects of one script, with an entry for each move that was not published. */
export function withBullMoves(effects: readonly Effect[], names: QueueNames): readonly Effect[] {
  if (!names.hasBull || !effects.some(({ what }) => what === 'put' || what === 'unfinished')) return effects;
  const released = new Set<string>();
  const told = new Map<string, EntryEffect>();
  let isSweep = false;
  for (const effect of effects) {
    if (effect.what === 'lock-deleted') released.add(effect.jobKey);
    else if (effect.what === 'sweep') isSweep = true;
    else if (effect.what === 'entry') told.set(`${effect.base}:${effect.event.job}`, effect);
  }
  return effects.flatMap((effect): Effect[] => {
    if (effect.what === 'unfinished') {
      const entry = told.get(effect.jobKey);
      if (entry?.event.kind === 'waiting') entry.event.data = { ...entry.event.data, prev: effect.from };
      return [];
    }
    if (effect.what !== 'put') return [effect];
    const jobKey = `${effect.base}:${effect.job}`;
    return isSweep || told.has(jobKey) || !released.has(jobKey) ? [] : [entryOf(effect, names)];
  });
}

function entryOf({ base, job, into, dueMs, place }: PutEffect, names: QueueNames): EntryEffect {
  const name = names.nameOf(base);
  const ms = Math.floor(place.t ?? 0);
  const event: OwnEvent = {
    ...{ kind: into, clock: 'redis', t: ms, precision: 'ms', line: place.line, offset: place.offset },
    queue: name.queue,
    job,
    data: dueMs === undefined ? { prev: 'active' } : { prev: 'active', dueMs },
  };
  if (name.prefix !== DEFAULT_PREFIX) event.prefix = name.prefix;
  if (name.db !== undefined) event.db = name.db;
  return { what: 'entry', place, base, name, ms, event };
}
