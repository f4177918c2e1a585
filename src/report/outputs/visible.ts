/**
 * Takes the power out of strings before anything else happens to them.
 *
 * Ids, messages and file names come from evidence and may hold terminal escapes, bidirectional marks, line breaks or a
 * megabyte of text. None of that may act; all of it should still be seen, because an odd id can be the incident.
 */
import { createHash } from 'node:crypto';
import { type Analysis, analysisSchema } from '../../model/analysis.js';

/** Longest run without a space, and longest text, that a report prints in full. */
const LONGEST_WORD = 160;
const LONGEST_TEXT = 1200;

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/g;
/** C0, DEL and C1 controls; bidirectional marks and isolates; zero-width and tag characters; lone surrogates. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Nearly all strings are this, and need no second look. */
const PLAIN = /^[ -~]*$/;

/** Makes control characters, line breaks and invisible marks visible: `␤`, `⟨U+001B⟩`, `⟨U+202E⟩`. */
export function visible(value: string): string {
  if (PLAIN.test(value)) return value;
  return value.replace(LINE_BREAK, '␤').replace(UNSEEN, symbolOf);
}

function symbolOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/**
 * Cuts a value in the middle, says how long it was and adds the start of its hash, so that two long ids that differ in the
 * middle stay two.
 */
export function cutMiddle(value: string, longest: number): string {
  if (value.length <= longest) return value;
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 8);
  const note = `…[${value.length} characters, sha256 ${digest}…]…`;
  const keep = Math.max(8, Math.floor((longest - note.length) / 2));
  return head(value, keep) + note + tail(value, keep);
}

/** A string from evidence as reports for people print it: nothing invisible, no endless words. */
export function tame(value: string): string {
  const words =
    value.length > LONGEST_WORD ? value.replace(LONG_WORDS, (word) => cutMiddle(word, LONGEST_WORD)) : value;
  return visible(cutMiddle(words, LONGEST_TEXT));
}

const LONG_WORDS = new RegExp(`\\S{${LONGEST_WORD + 1},}`, 'g');

/** The same analysis with every string tamed; checked against the schema on the way. */
export function tameAnalysis(analysis: Analysis): Analysis {
  return analysisSchema.parse(
    JSON.parse(JSON.stringify(analysis), (key, value: unknown) => {
      if (typeof value !== 'string') return value;
      // A quoted record is often one word, and was asked for.
      return key === 'quote' ? visible(cutMiddle(value, LONGEST_TEXT)) : tame(value);
    }),
  );
}

/** First units of a string without splitting a surrogate pair. */
function head(value: string, units: number): string {
  const cut = value.slice(0, units);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function tail(value: string, units: number): string {
  const cut = value.slice(-units);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}
