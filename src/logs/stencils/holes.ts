/** What may stand in a hole of a stencil: checked as strictly as `JSON.parse` and the reading of fields would. */
import { skipDecimal, skipString, skipValue, skipWhole } from './json-bytes.js';

export type Hole =
  /** Nothing: the line ends here. */
  | 'end'
  /** Any value but an object: fields could be in it. */
  | 'unread'
  /** A text or a number, which only has to be there. */
  | 'scalar'
  /** An object whose inside nobody looks at. */
  | 'object'
  /** A number without sign and exponent. */
  | 'number'
  /** A number without a fraction. */
  | 'whole'
  /** The inside of a text without escapes. */
  | 'text'
  /** The inside of a text that is an id with a digit in it. */
  | 'id';

const QUOTE = 34;
const OPEN_OBJECT = 123;
/** `t`, `f`, `n` and `[` begin what is neither text nor number. */
const NEITHER: ReadonlySet<number> = new Set(Array.from('tfn[{', (char) => char.charCodeAt(0)));
const MAX_DIGITS = 15;
const MAX_ID = 64;

/** Offset behind what fills the hole at `at`, -1 where that is something else. */
export function fill(hole: Hole, bytes: Uint8Array, at: number): number {
  const code = bytes[at] ?? 0;
  switch (hole) {
    case 'end':
      return at;
    case 'unread':
      return code === OPEN_OBJECT ? -1 : skipValue(bytes, at);
    case 'scalar':
      return NEITHER.has(code) ? -1 : skipValue(bytes, at);
    case 'object':
      return code === OPEN_OBJECT ? skipValue(bytes, at) : -1;
    case 'number':
      return skipDecimal(bytes, at);
    case 'whole':
      return skipShort(bytes, at);
    case 'text':
      return skipPlain(bytes, at);
    case 'id':
      return skipId(bytes, at);
  }
}

/** Longer numbers lose digits on their way. */
function skipShort(bytes: Uint8Array, at: number): number {
  const end = skipWhole(bytes, at);
  return end - at <= MAX_DIGITS ? end : -1;
}

function skipPlain(bytes: Uint8Array, at: number): number {
  const end = skipString(bytes, at - 1);
  if (end < 0) return -1;
  for (let i = at; i < end; i++) if (bytes[i] === 92) return -1;
  return end - 1;
}

/** Letters, digits and the signs that ids are made with; a digit among them, or it may be a word for nothing. */
function skipId(bytes: Uint8Array, at: number): number {
  let hasDigit = false;
  let end = at;
  for (; ; end++) {
    const code = bytes[end] ?? 0;
    if (code >= 48 && code <= 57) hasDigit = true;
    else if (!((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isSign(code))) break;
  }
  return bytes[end] === QUOTE && hasDigit && end - at <= MAX_ID ? end : -1;
}

/** `-`, `_`, `.`, `:`, `/`, `@`, `#`. */
const isSign = (code: number): boolean =>
  code === 45 || code === 95 || code === 46 || code === 58 || code === 47 || code === 64 || code === 35;
