/**
 * The byte at `index`, 0 beyond the end. Callers check bounds first; this only spares the compiler's `undefined` without
 * a cast in code that runs for every byte. V8 inlines it.
 */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

/** As `byteAt`, for words. */
export function wordAt(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
