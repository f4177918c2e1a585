/**
 * What is mutated: small inputs, each with the reader it is meant for. Recorded ones (`record.mjs`, the incidents in
 * samples/, a log of each format), and an RDB of encodings that today's server does not write any more, or not yet.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** More would be the same again, and slow. */
const MAX_BYTES = 12 * 1024;

const READER_OF = [
  [/\.rdb$/, 'rdb'],
  [/\.aof$/, 'aof'],
  [/monitor\.txt$/, 'monitor'],
  [/\.xrange\.json$/, 'xrange-json'],
  [/\.dump\.json$/, 'redis-json'],
  [/\.transcript$/, 'transcript'],
  [/\/transcripts\/[^/]+\.txt$/, 'transcript'],
  [/\.log$/, 'log'],
];
const FOLDERS = ['test/fuzz/seeds', 'samples/incidents', 'test/logs/formats', 'test/redis/dumps/transcripts'];

function filesBelow(folder) {
  return fs
    .readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

/** `{ name, reader, bytes }`, in an order that does not depend on the machine. */
export function inputs() {
  const recorded = FOLDERS.flatMap(filesBelow).flatMap((name) => {
    const reader = READER_OF.find(([pattern]) => pattern.test(name))?.[1];
    return reader ? [{ name, reader, bytes: fs.readFileSync(path.join(ROOT, name)).subarray(0, MAX_BYTES) }] : [];
  });
  const made = { name: 'encodings.rdb', reader: 'rdb', bytes: encodings() };
  return [...recorded, made].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const bytes = (...parts) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
const string = (content) => {
  const { length } = Buffer.from(content);
  return length < 64 ? bytes(length, content) : bytes(0x40 | (length >> 8), length & 255, content);
};
const littleEndian = (size, value) => {
  const out = Buffer.alloc(size);
  out.writeUIntLE(value % 2 ** 48, 0, Math.min(size, 6));
  return out;
};
const u16 = (value) => littleEndian(2, value);
const u32 = (value) => littleEndian(4, value);
const u64 = (value) => littleEndian(8, value);
const streamId = (ms) => bytes(Buffer.from(u64(ms)).reverse(), u64(0));
/** Entries of up to 63 bytes or seven bits, each with its own length behind it. */
const listpackEntry = (value) =>
  typeof value === 'number' ? bytes(value, 1) : bytes(0x80 | value.length, value, value.length + 1);
const listpack = (...values) => {
  const body = bytes(...values.map(listpackEntry));
  return bytes(u32(body.length + 7), u16(values.length), body, 0xff);
};
const ziplist = (...values) => {
  let before = 0;
  const entries = values.map((value) => {
    const entry = bytes(before, value.length, value);
    before = entry.length;
    return entry;
  });
  const body = bytes(...entries);
  return bytes(u32(body.length + 11), u32(body.length + 10 - before), u16(values.length), body, 0xff);
};

/** Keys of a queue in encodings of other versions (layouts: Redis rdb.c, listpack.c, ziplist.c, zipmap.c, t_stream.c). */
function encodings() {
  const ms = 1_705_314_600_000;
  const job = ['name', 'send', 'opts', '{}', 'data', '{}', 'ats', '1'];
  const master = [2, 0, 2, 'event', 'jobId', 0];
  const entries = [2, 0, 0, 'added', '1', 5, 2, 1, 0, 'active', '1', 5];
  const stream = bytes(string(streamId(ms)), string(listpack(...master, ...entries)));
  const numbers = (...values) =>
    bytes(...values.map((value) => (value < 64 ? value : bytes(0x81, u64(value).reverse()))));
  return bytes(
    'REDIS0012',
    ...[0xfa, string('redis-ver'), string('7.4.0'), 0xfa, string('ctime'), 0xc2, u32(ms / 1000), 0xfe, 0],
    ...[0xfb, 12, 1, 0xf5, string('#!lua name=lib'), 0xf8, 5, 0xf9, 7],
    ...[9, string('bull:q:1'), string(bytes(2, 4, 'name', 4, 0, 'send', 4, 'opts', 2, 0, '{}', 0xff))],
    ...[10, string('bull:q:wait'), string(ziplist('1', '2'))],
    ...[11, string('bull:q:stalled'), string(bytes(u32(2), u32(2), u16(1), u16(2)))],
    ...[12, string('bull:q:failed'), string(ziplist('3', '1705314600123'))],
    ...[13, string('bull:q:2'), string(ziplist(...job))],
    ...[14, string('bull:q:active'), 2, string(ziplist('4')), string(ziplist('5', '6'))],
    ...[3, string('bull:q:completed'), 2, string('7'), 3, '1e3', string('8'), 254],
    ...[4, string('bull:q:3'), 4, ...job.map(string)],
    ...[4, string('bull:q:4'), 1, string('data'), 0xc3, 5, 8, 1, 'ab', 4 << 5, 1],
    ...[16, string('bull:q:meta'), string(listpack('paused', 1, 'version', 'bullmq:5.1.0'))],
    ...[17, string('bull:q:delayed'), string(listpack('9', 99))],
    ...[18, string('bull:q:paused'), 2, 2, string(listpack('1', 2)), 1, string('plain')],
    ...[20, string('bull:r:stalled'), string(listpack('1', '2'))],
    ...[24, string('bull:q:5'), u64(ms), 2, 9, string('name'), string('send'), 0, string('ats'), string('2')],
    ...[25, string('bull:q:6'), u64(ms), string(listpack('name', 'send', 0, 'opts', '{}', 9))],
    ...[0xfc, u64(ms + 30_000), 0, string('bull:q:1:lock'), string('token:1')],
    ...[15, string('bull:old:events'), 1, stream, numbers(2, ms + 1, 0, 0)],
    ...[21, string('bull:q:events'), 1, stream, numbers(2, ms + 1, 0, ms, 0, 0, 0, 2)],
    ...[1, string('group'), numbers(ms, 0, 1), 1, streamId(ms), u64(ms), 1],
    ...[1, string('consumer'), u64(ms), u64(ms), 1, streamId(ms)],
    ...[7, string('module'), 0x81, u64(2 ** 40).reverse(), 2, 5, 5, string('text'), 4, u64(1), 0],
    ...[0xff, u64(0)],
  );
}
