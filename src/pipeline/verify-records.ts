/** Reads cited records at their places, and gives each its digest. */
import { createHash } from 'node:crypto';
import type { Ref, Source } from '../model/analysis.js';
import { type Content, LOOK_BACK_BYTES } from './verify-content.js';
import { type Layout, layoutOf, MAX_RECORD_BYTES, recordLength } from './verify-extent.js';
import { digestOf, type FoundRecord, placeKey } from './verify-place.js';
import { readCitedKeys } from './verify-snapshot.js';

export type FoundRecords = ReadonlyMap<string, FoundRecord>;

const SHOWN_BYTES = 600;
const FIRST_BYTES = 8192;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/**
 * The records that stand at `refs`, by `placeKey`; a place where there is none, or that says too little, is absent.
 *
 * @param countLines a line that is not the one its offset is in is no place. It takes reading the source up to there.
 */
export async function readCited(
  content: Content,
  source: Pick<Source, 'kind' | 'format' | 'path'>,
  refs: readonly Ref[],
  countLines = false,
): Promise<FoundRecords> {
  if (source.format === 'rdb') return (await readCitedKeys(content, refs)).found;
  if (source.format !== 'aof') return readPlaces(content, layoutOf(source), refs, countLines);
  // The log may go on from a snapshot at its start: what is no key of that is a command behind it.
  const { found, endOfSnapshot } = await readCitedKeys(content, refs);
  const left = refs.filter((ref) => !found.has(placeKey(ref)) && (ref.offset ?? -1) >= endOfSnapshot);
  return new Map([...found, ...(await readPlaces(content, 'commands', left))]);
}

async function readPlaces(
  content: Content,
  layout: Layout,
  refs: readonly Ref[],
  countLines = false,
): Promise<FoundRecords> {
  const found = new Map<string, FoundRecord>();
  const atOffset = refs.flatMap((ref) => (ref.offset === undefined ? [] : [{ ref, offset: ref.offset }]));
  atOffset.sort((a, b) => a.offset - b.offset);
  const atLine = refs.flatMap(({ line, ...ref }) =>
    line === undefined || ref.offset !== undefined ? [] : [{ ref: { ...ref, line }, line }],
  );
  atLine.sort((a, b) => a.line - b.line);
  let counted = { line: 1, offset: 0 };
  const take = async (ref: Ref, offset: number): Promise<void> => {
    if (countLines && ref.line !== undefined && ref.offset !== undefined) {
      counted = { line: await lineAt(content, counted, offset), offset };
      if (counted.line !== ref.line) return;
    }
    const record = await recordAt(content, offset, layout);
    if (record !== undefined) found.set(placeKey(ref), record);
  };
  /** What stands before `offset`, so that places rise. */
  const takeBefore = async (offset: number): Promise<void> => {
    for (let next = atOffset[0]; next !== undefined && next.offset < offset; next = atOffset[0]) {
      atOffset.shift();
      await take(next.ref, next.offset);
    }
  };
  const anchors = atOffset.flatMap(({ ref, offset }) => (ref.line === undefined ? [] : [{ line: ref.line, offset }]));
  let at = { line: 1, offset: 0 };
  for (const { ref, line } of atLine) {
    const anchor = anchors.findLast((one) => one.line <= line);
    if (anchor !== undefined && anchor.line > at.line) at = anchor;
    const start = await findLine(content, at, line, takeBefore);
    if (start === undefined) break;
    at = { line, offset: start };
    await takeBefore(start);
    await take(ref, start);
  }
  await takeBefore(Number.POSITIVE_INFINITY);
  return found;
}

/** The offset of a line, counted from a line whose offset is known. */
async function findLine(
  content: Content,
  from: { readonly line: number; readonly offset: number },
  line: number,
  passing: (offset: number) => Promise<void>,
): Promise<number | undefined> {
  let { line: current, offset } = from;
  while (current < line) {
    await passing(offset - LOOK_BACK_BYTES / 2);
    const bytes = await content.read(offset, CHUNK_BYTES);
    if (bytes.length === 0) return undefined;
    let passed = bytes.length;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
      current++;
      if (current < line) continue;
      passed = at + 1;
      break;
    }
    offset += passed;
  }
  return offset;
}

/** The line that an offset is in, counted from one before it. */
async function lineAt(
  content: Content,
  from: { readonly line: number; readonly offset: number },
  until: number,
): Promise<number> {
  let { line, offset } = from;
  while (offset < until) {
    const bytes = await content.read(offset, Math.min(CHUNK_BYTES, until - offset));
    if (bytes.length === 0) break;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) line++;
    offset += bytes.length;
  }
  return line;
}

async function recordAt(content: Content, offset: number, layout: Layout): Promise<FoundRecord | undefined> {
  for (let wanted = FIRST_BYTES; ; wanted = Math.min(8 * wanted, MAX_RECORD_BYTES)) {
    const bytes = await content.read(offset, wanted);
    if (bytes.length === 0) return undefined;
    const length = recordLength(bytes, layout, bytes.length < wanted || wanted === MAX_RECORD_BYTES);
    if (length === undefined) continue;
    const record = bytes.subarray(0, length);
    return {
      digest: digestOf(createHash('sha256').update(record)),
      shows: record.toString('utf8', 0, SHOWN_BYTES),
    };
  }
}
