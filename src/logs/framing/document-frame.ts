/**
 * JSON documents of any size, read with stream-json: one value, or several behind one another. A record is cut out of the
 * bytes as soon as it closes and forgotten, so memory stays that of one record; what stood before a damage is kept.
 *
 * The parser does not tell where a token stands. So it is fed up to one bracket at a time: a token that opens or closes
 * something is that bracket.
 */
import { jsonParser, type Token } from 'stream-json/parser.js';
import type { Damage } from '../../model/evidence.js';
import type { JsonObject } from '../fields/collect.js';
import { MAX_LINE_BYTES } from '../lines.js';
import { ByteWindow } from './byte-window.js';
import type { DocumentShape } from './document-shapes.js';
import { DocumentWalk } from './document-walk.js';
import { type Frame, many, type OnEntry } from './frame.js';

const BRACKETS = /[{}[\]]/g;
/** Without a bracket the parser is fed in parts of this size. */
const MAX_PIECE = 65_536;
/** Text without a single token (a name without end) is no JSON. */
const MAX_SILENT = 1 << 22;
const MAX_NESTING = 1000;

/** Called with the shape in which a record was found; undefined: it is a document of its own. */
export type OnRecord = (text: string, line: number, offset: number, shape: DocumentShape | undefined) => void;

export function createDocumentFrame(onEntry: OnEntry): Frame {
  return createDocumentReader((text, line, offset) => onEntry(text, line, offset));
}

export function createDocumentReader(onRecord: OnRecord): Frame {
  const window = new ByteWindow();
  let parser = newParser();
  let walk = newWalk();
  /** Bytes up to here went to the parser. */
  let fed = 0;
  /** Behind the last bracket; where reading starts again after a damage is looked for from there. */
  let settled = 0;
  let lost = false;
  let silent = 0;
  /** What is kept of records that are too long, by where they start. */
  const setAside = new Map<number, { readonly text: string; readonly line: number }>();
  const notJson = { places: 0, offset: 0 };
  const cut = { records: 0, firstLine: 0 };

  function newWalk(): DocumentWalk {
    return new DocumentWalk({ record, text: (start, end) => window.slice(start, end).toString('utf8') });
  }

  function record(
    shape: DocumentShape | undefined,
    start: number,
    end: number,
    around: (name: string) => string | undefined,
  ): boolean {
    const kept = setAside.get(start)?.text ?? (end - start > MAX_LINE_BYTES ? begun(start) : undefined);
    const text = kept ?? window.slice(start, end).toString('utf8');
    if (shape?.sign?.(text) === false) return false;
    const line = setAside.get(start)?.line ?? window.lineAt(start);
    if (kept !== undefined) {
      cut.records++;
      cut.firstLine ||= line;
    }
    const whole = kept === undefined ? packed(text, shape, around) : text;
    if (whole !== undefined) onRecord(whole, line, start, shape);
    return true;
  }

  /** Gives the parser all that is there. Returns whether there may be more to do. */
  function feed(): boolean {
    const text = window.slice(fed, window.end).toString('latin1');
    const base = fed;
    BRACKETS.lastIndex = 0;
    for (let at = 0; at < text.length; ) {
      const found = BRACKETS.exec(text);
      const stop = found === null ? text.length : found.index + 1;
      for (; at < stop; at = fed - base) {
        fed = base + Math.min(stop, at + MAX_PIECE);
        if (!parse(text.slice(at, fed - base))) return true;
      }
      if (found !== null) settled = fed;
    }
    return false;
  }

  function parse(piece: string): boolean {
    const tokens = tokensOf(piece);
    if (tokens === undefined) return lose();
    if (tokens.length === 0) silent += piece.length;
    else {
      silent = 0;
      walk.take(tokens, fed - 1);
    }
    return silent <= MAX_SILENT && walk.depth <= MAX_NESTING ? true : lose();
  }

  /** Undefined: not JSON. What is wrong is said by its place. */
  function tokensOf(piece: string): readonly Token[] | undefined {
    try {
      const tokens = parser(piece);
      return typeof tokens === 'symbol' ? [] : tokens.values;
    } catch {
      return undefined;
    }
  }

  function lose(): false {
    if (notJson.places++ === 0) notJson.offset = settled;
    lost = true;
    return false;
  }

  /** After a damage the next line that begins with a bracket is taken for the start of a document. */
  function findStart(): boolean {
    const from = Math.max(settled, window.start);
    const text = window.slice(from, window.end).toString('latin1');
    const start = /\n[{[]/.exec(text);
    fed = start === null ? Math.max(from, window.end - 1) : from + start.index + 1;
    settled = fed;
    if (start === null) return false;
    parser = newParser();
    walk = newWalk();
    silent = 0;
    lost = false;
    return true;
  }

  const begun = (start: number): string => window.slice(start, start + MAX_LINE_BYTES).toString('utf8');

  /** Lets go of the bytes that nothing open needs. */
  function release(): void {
    const open = lost ? [] : walk.openRecords();
    for (const start of setAside.keys()) if (!open.includes(start)) setAside.delete(start);
    let needed = fed;
    for (const start of open) {
      if (setAside.has(start)) continue;
      if (window.end - start > MAX_LINE_BYTES) setAside.set(start, { text: begun(start), line: window.lineAt(start) });
      else needed = Math.min(needed, start);
    }
    if (window.end - settled <= MAX_LINE_BYTES) needed = Math.min(needed, settled);
    window.drop(needed);
  }

  function advance(): void {
    for (let isMore = true; isMore; ) isMore = lost ? findStart() : feed();
    release();
  }

  return {
    push(block) {
      window.append(block);
      // A byte order mark has three bytes.
      if (window.end >= 3) advance();
    },
    end() {
      advance();
    },
    damage(): Damage[] {
      const damage: Damage[] = [];
      if (cut.records > 0) {
        const what = `${many(cut.records, 'record')} cut: only the first ${MAX_LINE_BYTES} bytes were kept`;
        damage.push({ what, line: cut.firstLine });
      }
      if (notJson.places > 0) {
        const what =
          notJson.places === 1
            ? 'not JSON from here on'
            : `not JSON in ${notJson.places} places, the first of them here`;
        damage.push({ what: `${what}; the records before were kept`, offset: notJson.offset });
      }
      if (!lost && walk.isOpen)
        damage.push({ what: 'the JSON ends early; the records before were kept', offset: settled });
      return damage;
    },
  };
}

function newParser(): ReturnType<typeof jsonParser> {
  // Strings in pieces: one of them may be as large as the document.
  return jsonParser({
    packStrings: false,
    streamStrings: true,
    packKeys: true,
    streamKeys: false,
    packNumbers: true,
    streamNumbers: false,
    jsonStreaming: true,
  });
}

/** A record in one line, as a line of its own would have it; undefined for one that holds nothing. */
function packed(
  text: string,
  shape: DocumentShape | undefined,
  around: (name: string) => string | undefined,
): string | undefined {
  if (!shape?.pack && !isSpaced(text)) return text;
  try {
    const entry: unknown = JSON.parse(text);
    if (!shape?.pack) return JSON.stringify(entry);
    const surroundings: Record<string, unknown> = {};
    for (const name of shape.with ?? []) {
      const raw = around(name);
      if (raw !== undefined) surroundings[name] = JSON.parse(raw);
    }
    const object: JsonObject | undefined = shape.pack(entry, surroundings);
    return object && JSON.stringify(object);
  } catch {
    // The streaming parser is more lenient in places: the text stays as it is.
    return text;
  }
}

/** Laid out for reading, or with spaces behind the colons. */
function isSpaced(text: string): boolean {
  return text.includes('\n') || /^.\s|^\{"[^"]{1,100}"\s?:\s/.test(text);
}
