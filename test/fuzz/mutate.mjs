/** Changes an input as damage, accident and malice would. Everything follows from one seed. */

/** Numbers below a limit, the same for the same seed (splitmix32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    return Math.floor((mixed / 2 ** 32) * limit);
  };
}

/** The seed of one run among the many of a seed. */
export const seedOfRun = (seed, run) => (Math.imul(seed, 0x85ebca6b) ^ Math.imul(run + 1, 0xc2b2ae35)) >>> 0;

const INTERESTING = [
  0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x24, 0x2a, 0x30, 0x3a, 0x5b, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0x81, 0xc0, 0xc3, 0xf0,
  0xfe, 0xff,
];
const HUGE = [
  '-1',
  '0',
  '1',
  '65535',
  '2147483648',
  '4294967295',
  '9007199254740993',
  '18446744073709551615',
  '1e400',
  '007',
];
const MAX_REPEATED = 16 * 1024;
const MAX_LARGE = 2 * 1024 * 1024;
/** So seldom is an input made large: what takes quadratic time or memory shows there only. */
const ONE_IN_LARGE = 1000;
const NESTING = [
  '[',
  '{"a":',
  '[{',
  '("',
  '\\',
  '\\u',
  '\t',
  ' ',
  '\u001b[',
  '%',
  'a',
  '0',
  '.',
  ':',
  '-',
  '"',
  "'",
  '\r',
  '\n',
  'at ',
];

const span = (random, bytes, longest = bytes.length) => {
  const from = random(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random(longest + 1))];
};
const splice = (bytes, from, to, middle) => Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
const bigEndian = (size, value) => {
  const out = Buffer.alloc(size);
  out.writeUIntBE(value, Math.max(0, size - 6), Math.min(size, 6));
  return out;
};
const size = (random) => [0, 1, 63, 64, 16383, 65535, 2 ** 24, 2 ** 31, 2 ** 32 - 1][random(9)];

function flipBits(bytes, random) {
  const out = Buffer.from(bytes);
  for (let left = 1 + random(6); left > 0; left--) out[random(out.length)] ^= 1 << random(8);
  return out;
}

function setBytes(bytes, random) {
  const out = Buffer.from(bytes);
  for (let left = 1 + random(4); left > 0; left--) out[random(out.length)] = INTERESTING[random(INTERESTING.length)];
  return out;
}

function cut(bytes, random) {
  const at = random(bytes.length);
  return random(4) === 0 ? bytes.subarray(at) : bytes.subarray(0, at);
}

const remove = (bytes, random) => splice(bytes, ...span(random, bytes, 64), Buffer.alloc(0));

function duplicate(bytes, random) {
  const [from, to] = span(random, bytes, 512);
  const at = random(bytes.length + 1);
  return splice(bytes, at, at, bytes.subarray(from, to));
}

function swap(bytes, random) {
  const [a, b] = [random(bytes.length + 1), random(bytes.length + 1)].sort((x, y) => x - y);
  const length = random(Math.min(256, b - a, bytes.length - b) + 1);
  const parts = [bytes.subarray(0, a), bytes.subarray(b, b + length), bytes.subarray(a + length, b)];
  return Buffer.concat([...parts, bytes.subarray(a, a + length), bytes.subarray(b + length)]);
}

function crossWith(bytes, random, other) {
  const [from, to] = span(random, other, 512);
  return splice(bytes, ...span(random, bytes, 512), other.subarray(from, to));
}

/** A length as an RDB writes it, where any byte stood: 32 or 64 bits, or the two of a compressed string. */
function lieInRdb(bytes, random) {
  const at = random(bytes.length);
  const lies = [
    () => Buffer.concat([Buffer.from([0x80]), bigEndian(4, size(random))]),
    () => Buffer.concat([Buffer.from([0x81]), random(2) ? Buffer.alloc(8, 0xff) : bigEndian(8, size(random))]),
    () =>
      Buffer.concat([
        Buffer.from([0xc3, 0x80]),
        bigEndian(4, size(random)),
        Buffer.from([0x80]),
        bigEndian(4, size(random)),
      ]),
    () => Buffer.from([0x40 | random(64), random(256)]),
  ];
  const lie = lies[random(lies.length)]();
  return splice(bytes, at, random(2) ? at + lie.length : at, lie);
}

/** The head of something that looks like a listpack or ziplist: its length, its count, or how an entry begins. */
function lieInListpack(bytes, random) {
  const heads = [];
  for (let at = 0; at + 7 < bytes.length; at++) {
    const length = bytes.readUInt32LE(at);
    if (length >= 7 && length <= bytes.length - at && bytes[at + length - 1] === 0xff) heads.push(at);
  }
  if (heads.length === 0) return flipBits(bytes, random);
  const head = heads[random(heads.length)];
  const out = Buffer.from(bytes);
  const kind = random(3);
  if (kind === 0) out.writeUInt32LE(size(random), head);
  else if (kind === 1) out.writeUInt16LE(random(65536), head + 4);
  else out[Math.min(out.length - 1, head + 6 + random(40))] = 0xe0 | random(32);
  return out;
}

const replaceMatch = (bytes, random, pattern, replacement) => {
  const matches = [...bytes.toString('latin1').matchAll(pattern)];
  if (matches.length === 0) return setBytes(bytes, random);
  const match = matches[random(matches.length)];
  return splice(bytes, match.index, match.index + match[0].length, Buffer.from(replacement(match[0]), 'latin1'));
};

const lieInResp = (bytes, random) =>
  replaceMatch(bytes, random, /[*$]-?\d+\r\n/g, (head) => `${head[0]}${HUGE[random(HUGE.length)]}\r\n`);

const lieInNumber = (bytes, random) => replaceMatch(bytes, random, /\d+/g, () => HUGE[random(HUGE.length)]);

/** Many times what stands there, or what opens something. */
function repeat(bytes, random) {
  const isLarge = random(ONE_IN_LARGE) === 0;
  const most = isLarge ? MAX_LARGE : MAX_REPEATED;
  const [from, to] = isLarge && random(2) ? [0, bytes.length] : span(random, bytes, 200);
  const piece = random(2) ? Buffer.from(NESTING[random(NESTING.length)]) : bytes.subarray(from, to);
  if (piece.length === 0) return duplicate(bytes, random);
  const times = isLarge ? Math.floor(most / piece.length) : 1 + random(Math.min(2000, most / piece.length));
  return splice(bytes, to, to, Buffer.alloc(times * piece.length, piece));
}

const MUTATIONS = [
  flipBits,
  flipBits,
  setBytes,
  setBytes,
  cut,
  remove,
  duplicate,
  swap,
  crossWith,
  lieInNumber,
  repeat,
];
const OF_READER = {
  rdb: [lieInRdb, lieInRdb, lieInListpack, lieInListpack],
  aof: [lieInResp, lieInResp, lieInRdb],
};

/** `bytes` changed in one to four ways. `other` lends what is pasted in. */
export function mutate(bytes, reader, other, random) {
  const mutations = [...MUTATIONS, ...(OF_READER[reader] ?? [])];
  let out = bytes;
  for (let left = 1 + random(4); left > 0 && out.length > 0; left--) {
    out = mutations[random(mutations.length)](out, random, other);
  }
  return out;
}
