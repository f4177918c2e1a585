/** Whether a source is a log. Every text may be one, so the score is low: readers with surer signs go first. */
import type { Detection } from '../model/evidence.js';
import { createTimeReader } from '../time/index.js';
import { createUnwrap, envelopesIn } from './envelopes/envelopes.js';
import { isObject } from './fields/collect.js';
import { parseJson } from './fields/pairs.js';
import { jsonFormatOf } from './formats/json-formats.js';
import { readText } from './formats/text-formats.js';
import { chooseFrame } from './framing/choose-frame.js';

const MAX_ENTRIES = 200;
const KNOWN = 0.5;
const TEXT = 0.1;
const ENTRIES = {
  lines: 'lines',
  fenced: 'lines between fences',
  document: 'records of the JSON',
  table: 'rows',
  journal: 'entries of the journal',
} as const;

/** Looks at the first entries; undefined for what is no text. */
export function detectLog(head: Uint8Array, fileName: string): Detection | undefined {
  if (isBinary(head) || isSource(fileName)) return undefined;
  const { kind, first } = chooseFrame(head, fileName);
  const time = createTimeReader({ modifiedMs: Date.UTC(2024, 0, 1) });
  const unwrap = createUnwrap(envelopesIn(first), time);
  const counts = new Map<string, number>();
  let entries = 0;
  for (const text of first.slice(0, MAX_ENTRIES)) {
    const clean = text.slice(0, 16_384);
    if (clean.trim() === '') continue;
    entries++;
    const wrapped = unwrap(clean);
    const name = formatOf(wrapped?.payload ?? clean, time) ?? wrapped?.names[0];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  if (best) {
    const reason = `${best[1]} of the first ${entries} ${ENTRIES[kind]} are ${best[0]}`;
    return { format: best[0], score: KNOWN, reason };
  }
  // Nothing but lines may be a log without looking like one.
  if (kind !== 'lines') return undefined;
  return {
    format: 'text',
    score: TEXT,
    reason: entries === 0 ? 'has no lines in its head' : 'is text of no known format',
  };
}

function formatOf(line: string, time: ReturnType<typeof createTimeReader>): string | undefined {
  if (line.startsWith('{')) {
    const object = parseJson(line);
    if (!isObject(object)) return undefined;
    const format = jsonFormatOf(object, line);
    // An object without a sign of a log could be a record of anything.
    return format.name === 'ndjson' &&
      !['time', 'timestamp', 'ts', 'msg', 'message', 'level', '@timestamp'].some((key) => key in object)
      ? undefined
      : format.name;
  }
  return readText(line, { time })?.format;
}

/** Code and pages lie beside evidence often enough; a log of that name is not known. */
function isSource(fileName: string): boolean {
  return /\.(?:html?|css|[cm]?[jt]sx?|ya?ml|toml)$/i.test(fileName);
}

/** NULs in bulk, or many control bytes: an image of memory, not text. A run of NULs at the start is a truncated log. */
function isBinary(head: Uint8Array): boolean {
  let start = 0;
  while (start < head.length && head[start] === 0) start++;
  if (start === head.length) return head.length > 0;
  let control = 0;
  for (let at = start; at < head.length; at++) {
    const byte = head[at] ?? 0;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27 && byte !== 12 && byte !== 8) control++;
  }
  return control > (head.length - start) * 0.02 + 8;
}
