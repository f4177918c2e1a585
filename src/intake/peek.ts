/** Looks at the beginning of a sequence of blocks and gives the sequence back whole. */

export const HEAD_BYTES = 64 * 1024;

export interface Peeked {
  /** A copy of the first bytes, up to `HEAD_BYTES`. */
  readonly head: Uint8Array;
  /** The blocks from the beginning. A loop over them that is left early does not end the sequence. */
  readonly blocks: AsyncIterable<Uint8Array> & { next(): Promise<Uint8Array | undefined> };
}

/** Takes blocks until there are enough bytes for the head. */
export async function peekHead(next: () => Promise<Uint8Array | undefined>): Promise<Peeked> {
  const taken: Uint8Array[] = [];
  let have = 0;
  while (have < HEAD_BYTES) {
    const block = await next();
    if (block === undefined) break;
    taken.push(block);
    have += block.length;
  }
  const head = Uint8Array.from(Buffer.concat(taken).subarray(0, HEAD_BYTES));
  const again = async (): Promise<Uint8Array | undefined> => taken.shift() ?? next();
  return { head, blocks: { next: again, [Symbol.asyncIterator]: () => endlessly(again) } };
}

/** An iterator without `return`: `break` in a `for await` would otherwise close the layers below before they are drained. */
function endlessly(next: () => Promise<Uint8Array | undefined>): AsyncIterator<Uint8Array> {
  return {
    async next() {
      const value = await next();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
  };
}
