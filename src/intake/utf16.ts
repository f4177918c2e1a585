/**
 * UTF-16 with a byte order mark, as PowerShell's `>` and Grafana's CSV for Excel write it, is turned into UTF-8, so that
 * no reader has to know of it. Offsets then count in the UTF-8 bytes.
 */
export type Utf16 = 'utf-16le' | 'utf-16be';

/** Tells UTF-16 by its mark, if what follows is UTF-16 indeed: pictures and the like may begin with the same two bytes. */
export function detectUtf16(head: Uint8Array): Utf16 | undefined {
  const encoding =
    head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
  if (encoding === undefined) return undefined;
  try {
    // `stream`: a character cut by the end of the head is no error. A zero right after the mark would be UTF-32.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    return text.startsWith('\0') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** The same text as UTF-8, without the mark. What is no UTF-16 becomes U+FFFD. */
export async function* utf16ToUtf8(
  blocks: AsyncIterable<Uint8Array>,
  encoding: Utf16,
): AsyncGenerator<Uint8Array, void> {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const block of blocks) {
    const text = decoder.decode(block, { stream: true });
    if (text !== '') yield encoder.encode(text);
  }
  const rest = decoder.decode();
  if (rest !== '') yield encoder.encode(rest);
}
