/** Several sources answer the same question: what one of them knows is the answer, and two that differ are none. */
import type { Look } from './look.js';
import { unseen } from './look.js';
import { notKnown, type Reply, sameValue } from './reply.js';

/** Looks in the order of how exact their sources are. */
export function combined(looks: readonly Look[], why: string): Look {
  if (looks.length === 0) return unseen(why);
  const names = new Set(looks.flatMap((look) => [...look.fields.keys()]));
  const all = <T>(pick: (look: Look) => Reply<T>): Reply<T> => combineReplies(looks.map(pick));
  return {
    hash: all((look) => look.hash),
    fields: new Map([...names].map((name) => [name, all((look) => look.fields.get(name) ?? look.otherFields)])),
    otherFields: all((look) => look.otherFields),
    token: all((look) => look.token),
    lock: combineReplies(
      looks.map((look) => look.lock),
      sameLock,
    ),
    places: combineReplies(
      looks.map((look) => look.places),
      samePlaces,
    ),
    stalled: all((look) => look.stalled),
  };
}

function combineReplies<T>(
  replies: readonly Reply<T>[],
  isSame: (a: Reply<T>, b: Reply<T>) => boolean = sameValue,
): Reply<T> {
  const answers = replies.filter((reply) => reply.known);
  const [best] = answers;
  if (best === undefined) return replies[0] ?? notKnown('no source tells');
  const other = answers.find((reply) => !isSame(reply, best));
  return other === undefined
    ? best
    : notKnown(
        'two sources contradict each other here: they are of different servers, or this moment is at the edge of a change',
        [...best.refs.slice(0, 1), ...other.refs.slice(0, 1)],
      );
}

/** A capture reckons an expiry from its own time. */
const SAME_EXPIRY_MS = 3;

function sameLock(a: Look['lock'], b: Look['lock']): boolean {
  if (!a.known || !b.known || a.value === undefined || b.value === undefined) return sameValue(a, b);
  const [left, right] = [a.value.leftMs, b.value.leftMs];
  if (a.value.token !== b.value.token) return false;
  return left === undefined || right === undefined ? left === right : Math.abs(left - right) <= SAME_EXPIRY_MS;
}

/** A source that says only "waiting" does not contradict one that says in which list. */
function samePlaces(a: Look['places'], b: Look['places']): boolean {
  if (!a.known || !b.known) return false;
  return (
    a.value.length === b.value.length &&
    a.value.every((place) => b.value.some((other) => other.sets.some((set) => place.sets.includes(set))))
  );
}
