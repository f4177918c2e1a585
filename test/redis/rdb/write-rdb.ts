/**
 * Writes RDB files byte by byte, for the encodings that the server at hand cannot write: those of later and older
 * versions, and broken ones. Layouts: Redis rdb.c, listpack.c, ziplist.c, zipmap.c.
 */
import { Crc64 } from '../../../src/redis/rdb/crc64.js';

export const bytes = (...parts: (number | Uint8Array | string)[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.from([part]) : typeof part === 'string' ? Buffer.from(part, 'utf8') : part,
    ),
  );

/** A length, in its shortest form. */
export function len(value: number | bigint): Buffer {
  const n = BigInt(value);
  if (n < 64n) return Buffer.from([Number(n)]);
  if (n < 16384n) return Buffer.from([0x40 | Number(n >> 8n), Number(n & 255n)]);
  if (n < 1n << 32n) {
    const out = Buffer.alloc(5, 0x80);
    out.writeUInt32BE(Number(n), 1);
    return out;
  }
  const out = Buffer.alloc(9, 0x81);
  out.writeBigUInt64BE(n, 1);
  return out;
}

export const str = (text: string | Uint8Array): Buffer => bytes(len(Buffer.from(text).length), Buffer.from(text));

export const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);

export function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

export function i64(value: number | bigint): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigInt64LE(BigInt(value));
  return out;
}

export function double(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeDoubleLE(value);
  return out;
}

/** A stream id as nodes and pending entries hold it. */
export function rawId(ms: number | bigint, seq: number | bigint): Buffer {
  const out = Buffer.alloc(16);
  out.writeBigUInt64BE(BigInt(ms), 0);
  out.writeBigUInt64BE(BigInt(seq), 8);
  return out;
}

/** A listpack entry as its bytes stand, without the length behind it. */
export function listpackEntry(value: string | number): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    if (text.length < 64) return bytes(0x80 | text.length, text);
    if (text.length < 4096) return bytes(0xe0 | (text.length >> 8), text.length & 255, text);
    return bytes(0xf0, u32(text.length), text);
  }
  if (value >= 0 && value < 128) return bytes(value);
  if (value >= -4096 && value < 4096) {
    const bits = value < 0 ? value + 8192 : value;
    return bytes(0xc0 | (bits >> 8), bits & 255);
  }
  return bytes(0xf4, i64(value));
}

function backLength(size: number): Buffer {
  const groups: number[] = [];
  for (let left = size; groups.length === 0 || left > 0; left = Math.floor(left / 128)) groups.push(left % 128);
  return Buffer.from(groups.reverse().map((group, at) => (at === 0 ? group : group | 0x80)));
}

/** A listpack of ready entries. */
export function listpackOf(entries: readonly Buffer[]): Buffer {
  const body = Buffer.concat(entries.map((entry) => bytes(entry, backLength(entry.length))));
  return bytes(u32(body.length + 7), u16(Math.min(entries.length, 65535)), body, 0xff);
}

export const listpack = (...values: (string | number)[]): Buffer => listpackOf(values.map(listpackEntry));

/** A file: magic, parts, end mark, checksum from version 5 on. */
export function rdb(magic: string, ...parts: (number | Uint8Array)[]): Buffer {
  const body = bytes(magic, ...parts, 0xff);
  if (magic.startsWith('REDIS') && Number(magic.slice(5)) < 5) return body;
  const crc = new Crc64();
  crc.update(body, 0, body.length);
  return bytes(body, Buffer.from(crc.hex(), 'hex').reverse());
}
