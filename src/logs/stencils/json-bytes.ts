/**
 * Reads JSON in the bytes of a line without making anything of it. What is passed over is checked to be JSON all the same: a
 * line that `JSON.parse` would refuse must not look like one that it takes. Every line ends in a newline, which stands in no
 * JSON value, so nothing here runs past its end.
 */

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const SPACE = 32;
const DELETE = 127;

const MAX_DEPTH = 16;
const WORDS = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, (char) => char.charCodeAt(0)));
/** What may stand behind a backslash, but for `u`: `"\/bfnrt`. */
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (char) => char.charCodeAt(0)));
const ESCAPED_UNIT = 117;

/** Offset behind the JSON value that begins at `at`, -1 where there is none in plain ASCII. Lists and objects only so deep. */
export function skipValue(bytes: Uint8Array, at: number, depth = 0): number {
  const code = bytes[at] ?? 0;
  if (code === QUOTE) return skipString(bytes, at);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return skipNumber(bytes, at);
  if (code === OPEN_OBJECT || code === OPEN_LIST) return depth < MAX_DEPTH ? skipHolder(bytes, at, code, depth) : -1;
  for (const word of WORDS) if (startsWith(bytes, at, word)) return at + word.length;
  return -1;
}

/** `at` is the opening quote. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; ; i++) {
    const code = bytes[i] ?? 0;
    if (code === QUOTE) return i + 1;
    if (code < SPACE || code > DELETE) return -1;
    if (code !== BACKSLASH) continue;
    const escaped = bytes[++i] ?? 0;
    if (ESCAPES.has(escaped)) continue;
    if (escaped !== ESCAPED_UNIT) return -1;
    for (const end = i + 4; i < end; ) if (!isHex(bytes[++i] ?? 0)) return -1;
  }
}

function skipNumber(bytes: Uint8Array, at: number): number {
  const end = skipDecimal(bytes, bytes[at] === MINUS ? at + 1 : at);
  const code = bytes[end] ?? 0;
  if (end < 0 || (code !== 101 && code !== 69)) return end;
  const sign = bytes[end + 1] ?? 0;
  return skipDigits(bytes, sign === 43 || sign === MINUS ? end + 2 : end + 1);
}

/** A number without sign and exponent. */
export function skipDecimal(bytes: Uint8Array, at: number): number {
  const end = skipWhole(bytes, at);
  return end > 0 && bytes[end] === POINT ? skipDigits(bytes, end + 1) : end;
}

/** Digits without a needless zero in front. */
export function skipWhole(bytes: Uint8Array, at: number): number {
  return bytes[at] === ZERO ? (isDigit(bytes[at + 1] ?? 0) ? -1 : at + 1) : skipDigits(bytes, at);
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isDigit(bytes[end] ?? 0)) end++;
  return end > at ? end : -1;
}

function skipHolder(bytes: Uint8Array, at: number, open: number, depth: number): number {
  const close = open === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT;
  let next = skipSpaces(bytes, at + 1);
  if (bytes[next] === close) return next + 1;
  while (next > 0) {
    if (open === OPEN_OBJECT) {
      if (bytes[next] !== QUOTE) return -1;
      next = skipString(bytes, next);
      if (next < 0) return -1;
      next = skipSpaces(bytes, next);
      if (bytes[next] !== COLON) return -1;
      next = skipSpaces(bytes, next + 1);
    }
    next = skipValue(bytes, next, depth + 1);
    if (next < 0) return -1;
    next = skipSpaces(bytes, next);
    const code = bytes[next];
    if (code === close) return next + 1;
    if (code !== COMMA) return -1;
    next = skipSpaces(bytes, next + 1);
  }
  return -1;
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === SPACE) end++;
  return end;
}

export function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

const isHex = (code: number): boolean => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
