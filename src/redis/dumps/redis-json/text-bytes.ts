/**
 * Strings of a dump as the bytes they stand for. redis-rdb-tools and librdb escape byte by byte (`\u00c3\u00a9` is é), which
 * reads as Latin-1; where all characters are bytes and those bytes are UTF-8, they are taken as such.
 */
const HIGH = /[\x80-\xff]/;
const BEYOND_BYTES = /[^\x00-\xff]/;

export const utf8Bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

export function escapedBytes(text: string): Buffer {
  if (!HIGH.test(text) || BEYOND_BYTES.test(text)) return utf8Bytes(text);
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes : utf8Bytes(text);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
