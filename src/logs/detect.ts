/** Whether a source is a log. Every text may be one, so the score is low: readers with surer signs go first. */
import type { Detection } from '../model/evidence.js';
import { createTimeReader } from '../time/index.js';
import { cleanLine } from './clean-line.js';
import { createUnwrap } from './envelopes/envelopes.js';
import { isObject } from './fields/collect.js';
import { parseJson } from './fields/pairs.js';
import { jsonFormatOf } from './formats/json-formats.js';
import { readText } from './formats/text-formats.js';

const MAX_LINES = 200;
const KNOWN = 0.5;
const TEXT = 0.1;

/** Looks at the first lines; undefined for what is no text. */
export function detectLog(head: Uint8Array, fileName: string): Detection | undefined {
  if (isBinary(head)) return undefined;
  const text = new TextDecoder().decode(head);
  if (isDocument(text, fileName)) return undefined;
  const time = createTimeReader({ modifiedMs: Date.UTC(2024, 0, 1) });
  const unwrap = createUnwrap(text, time);
  const counts = new Map<string, number>();
  let lines = 0;
  for (const raw of text.split('\n', MAX_LINES)) {
    const clean = cleanLine(raw.endsWith('\r') ? raw.slice(0, -1) : raw).slice(0, 16_384);
    if (clean.trim() === '') continue;
    lines++;
    const wrapped = unwrap(clean);
    const name = formatOf(wrapped?.payload ?? clean, time) ?? wrapped?.names[0];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  if (best) return { format: best[0], score: KNOWN, reason: `${best[1]} of the first ${lines} lines are ${best[0]}` };
  return {
    format: 'text',
    score: TEXT,
    reason: lines === 0 ? 'has no lines in its head' : 'is text of no known format',
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

/**
 * A README, a source file or a JSON document laid out for reading lies beside evidence often enough; a log of that name or
 * shape is not known. (JSON logs hold one object a line.)
 */
function isDocument(text: string, fileName: string): boolean {
  return (
    /\.(?:md|markdown|html?|css|[cm]?[jt]sx?|ya?ml|toml)$/i.test(fileName) || /^\s*[{[]\s*\r?\n\s*["{[\]}]/.test(text)
  );
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
