/** What may surround a line without being part of it: colours, NULs left by truncation, a byte order mark. */

const ESCAPES = /\x1b(?:\[[0-9;:?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78cDEHM])/g;
const STRAY = /[\x00\x1e\x7f]/g;

/** Without terminal escapes, NULs and byte order mark; most lines come back as they are. */
export function cleanLine(text: string): string {
  let clean = text;
  if (clean.charCodeAt(0) === 0xfeff) clean = clean.slice(1);
  if (clean.includes('\x1b')) clean = clean.replace(ESCAPES, '');
  if (clean.includes('\x00') || clean.charCodeAt(0) === 0x1e) clean = clean.replace(STRAY, '');
  return clean;
}

/** Colours inside JSON strings arrive as `\u001b[32m` and are text only after parsing. */
export function stripColours(text: string): string {
  return text.includes('\x1b') ? text.replace(ESCAPES, '') : text;
}
