/** Reads a sequence of blocks in portions of another size. */

export interface ByteCursor {
  /** Up to `max` bytes, not consumed; empty only at the end. */
  peek(max: number): Promise<Uint8Array>;
  /** Consumes bytes that were peeked at. */
  skip(count: number): void;
  /** Consumes exactly `count` bytes; fewer only at the end. */
  take(count: number): Promise<Uint8Array>;
  /** Bytes consumed so far. */
  position(): number;
}

/** A cursor over the blocks that `next` gives until undefined. */
export function byteCursor(next: () => Promise<Uint8Array | undefined>): ByteCursor {
  let block: Uint8Array = new Uint8Array(0);
  let at = 0;
  let consumed = 0;

  const peek = async (max: number): Promise<Uint8Array> => {
    while (at === block.length) {
      const more = await next();
      if (more === undefined) return new Uint8Array(0);
      block = more;
      at = 0;
    }
    return block.subarray(at, at + max);
  };
  const skip = (count: number): void => {
    at += count;
    consumed += count;
  };
  return {
    peek,
    skip,
    position: () => consumed,
    async take(count) {
      const taken = new Uint8Array(count);
      let have = 0;
      while (have < count) {
        const some = await peek(count - have);
        if (some.length === 0) return taken.subarray(0, have);
        taken.set(some, have);
        skip(some.length);
        have += some.length;
      }
      return taken;
    },
  };
}
