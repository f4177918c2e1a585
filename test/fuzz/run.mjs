/** One run: an input made from its seed, read whole and in pieces, and what must not happen while it is read. */
import { createHash } from 'node:crypto';
import { mutate, randomFrom, seedOfRun } from './mutate.mjs';

/** For both readings of a small input; large ones get as much again for each megabyte, so that a busy machine is no find. */
const MAX_CPU_SECONDS = 2;
const MAX_MEGABYTES = 256;
const MB = 2 ** 20;
const HEAD_BYTES = 64 * 1024;
const ONE_IN_WRONG_READER = 30;
const ZONES = [undefined, undefined, 'Europe/Berlin', '+05:30'];

/** What run `run` of a seed reads: `{ reader, name, bytes, sizes, options }`. */
export function inputOfRun(inputs, readers, seed, run) {
  const random = randomFrom(seedOfRun(seed, run));
  // Every reader gets its share, however many inputs there are for it.
  const meant = readers[random(readers.length)];
  const own = inputs.filter(({ reader }) => reader === meant.name);
  const { name, reader, bytes } = own.length > 0 ? own[random(own.length)] : inputs[random(inputs.length)];
  const other = inputs[random(inputs.length)].bytes;
  const wrong = random(ONE_IN_WRONG_READER) === 0 ? readers[random(readers.length)] : undefined;
  return {
    name,
    reader: (wrong ?? meant).name,
    bytes: mutate(bytes, reader, other, random),
    sizes: Array.from({ length: 1 + random(6) }, () => 1 + random([8, 100, 2000, 70_000][random(4)])),
    prefix: random(4) === 0 ? 'app' : undefined,
    assumeTz: ZONES[random(ZONES.length)],
  };
}

/** Blocks of memory of their own, as a file gives them. Small blocks of large inputs would measure this loop only. */
async function* blocksOf(bytes, sizes) {
  const least = bytes.length / 5000;
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, Math.ceil(least), sizes[i % sizes.length]);
    yield Uint8Array.from(bytes.subarray(at, at + size));
    at += size;
  }
}

/** What a reader makes of the bytes, as a digest and in figures. */
async function read(reader, bytes, sizes, { prefix, assumeTz }) {
  const hash = createHash('sha1');
  let told = 0;
  const tell = (what) => {
    told++;
    hash.update(JSON.stringify(what));
  };
  const sink = { event: tell, fact: tell, presence: tell, settle: async () => {} };
  const options = { fileName: 'input', ...(prefix && { prefix }), ...(assumeTz && { assumeTz }) };
  const report = await reader.read(blocksOf(bytes, sizes), sink, options);
  hash.update(JSON.stringify(report));
  return { digest: hash.digest('hex'), told, report };
}

/**
 * Reads one input whole and in pieces.
 *
 * @returns what went wrong, `{ kind, what }`: `throw`, `slow`, `memory`, or `cuts` where the two readings differ;
 * undefined if nothing did.
 */
export async function runInput(readers, input) {
  const peakBefore = process.resourceUsage().maxRSS;
  const before = process.memoryUsage.rss() / MB;
  // Of the processor, as a busy machine makes anything slow; of the first reading, as readers remember what they saw.
  const cpuBefore = process.cpuUsage();
  const found = await readTwice(readers, input);
  if (found) return found;
  const seconds = process.cpuUsage(cpuBefore).user / 1e6;
  const limit = MAX_CPU_SECONDS * (1 + input.bytes.length / MB);
  if (seconds > limit) return { kind: 'slow', what: `${seconds.toFixed(1)} s of CPU` };
  const peak = process.resourceUsage().maxRSS;
  const grown = peak > peakBefore ? peak / 1024 - before : 0;
  return grown > MAX_MEGABYTES ? { kind: 'memory', what: `${grown.toFixed(0)} MB more` } : undefined;
}

async function readTwice(readers, input) {
  const reader = readers.find(({ name }) => name === input.reader);
  const head = Uint8Array.from(input.bytes.subarray(0, HEAD_BYTES));
  try {
    for (const one of readers) one.detect(head, 'input');
    const whole = await read(reader, input.bytes, [input.bytes.length || 1], input);
    const parts = await read(reader, input.bytes, input.sizes, input);
    if (whole.digest === parts.digest) return undefined;
    const say = ({ told, report }) => `${told} told, ${JSON.stringify(report).slice(0, 1000)}`;
    return { kind: 'cuts', what: `whole: ${say(whole)}\nin blocks of ${input.sizes}: ${say(parts)}` };
  } catch (error) {
    return { kind: 'throw', what: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
