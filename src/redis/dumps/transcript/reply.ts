/** What Redis answered, as far as a rendering of redis-cli lets it be seen. */
export type Reply =
  | { readonly is: 'nil' }
  /** Integers, and doubles of RESP3. */
  | { readonly is: 'number'; readonly value: number }
  /** `at`: line within the answer, from 0. */
  | { readonly is: 'string'; readonly bytes: Buffer; readonly at: number }
  /** An unquoted line: OK, QUEUED, the answer of TYPE. */
  | { readonly is: 'status'; readonly text: string }
  | { readonly is: 'error'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly Reply[] }
  | { readonly is: 'map'; readonly pairs: readonly (readonly [Reply, Reply])[] }
  /**
   * Renderings that drop the nesting. `exact`: each item is one value (CSV). Else items are lines (--raw): a value that holds
   * line breaks looks like several, and an empty one like nil.
   */
  | { readonly is: 'flat'; readonly items: readonly Reply[]; readonly exact: boolean };

/** A reply, or why there is none. */
export type Parsed = { readonly reply: Reply } | { readonly problem: string };

export const NIL: Reply = { is: 'nil' };

/** The bytes of a single value; undefined for nil, errors and collections. */
export function bytesOf(reply: Reply | undefined): Buffer | undefined {
  switch (reply?.is) {
    case 'string':
      return reply.bytes;
    case 'number':
      return Buffer.from(String(reply.value));
    case 'status':
      return Buffer.from(reply.text, 'latin1');
    case 'flat':
      return reply.items.length === 1 ? bytesOf(reply.items[0]) : undefined;
    default:
      return undefined;
  }
}

export const textOf = (reply: Reply | undefined): string | undefined => bytesOf(reply)?.toString('utf8');

/** A number, however it was printed; undefined for anything else. */
export function numberOf(reply: Reply | undefined): number | undefined {
  if (reply?.is === 'number') return reply.value;
  const text = textOf(reply);
  if (text === undefined) return undefined;
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** The items of a list or set; nil stands for an empty one. Undefined for single values and errors. */
export function itemsOf(reply: Reply): readonly Reply[] | undefined {
  if (reply.is === 'list' || reply.is === 'flat') return reply.items;
  if (reply.is === 'map') return reply.pairs.flat();
  return reply.is === 'nil' ? [] : undefined;
}

/** The pairs of a hash, or of members and scores. Undefined where they are none. */
export function pairsOf(reply: Reply): readonly (readonly [Reply, Reply])[] | undefined {
  if (reply.is === 'map') return reply.pairs;
  const items = itemsOf(reply);
  if (items === undefined) return undefined;
  const nested = items.map(asPair);
  if (items.length > 0 && nested.every((pair) => pair !== undefined)) return nested;
  if (items.length % 2 !== 0) return undefined;
  return items.flatMap((item, at) => {
    const next = items[at + 1];
    return at % 2 === 0 && next !== undefined ? [[item, next] as const] : [];
  });
}

function asPair(reply: Reply): readonly [Reply, Reply] | undefined {
  if (reply.is !== 'list' || reply.items.length !== 2) return undefined;
  const [first, second] = reply.items;
  return first && second && [first, second];
}
