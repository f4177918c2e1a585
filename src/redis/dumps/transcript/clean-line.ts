/**
 * A line as it stood on the terminal. `script` and terminals' own logs record what was sent to the screen: colours, and a
 * prompt that is drawn again at every key (linenoise: carriage return, the line so far, erase, move the cursor).
 */
const ESCAPE = 0x1b;
/** The completion that redis-cli shows in grey behind the cursor is no input. */
const HINT = /\x1b\[0;90;49m[^\x1b]*\x1b\[0m/g;
const SEQUENCE = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** The line as Latin-1 text, without its end. */
export function cleanLine(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (!bytes.includes(ESCAPE)) return text;
  const drawn = text.replace(HINT, '').split('\r');
  for (let at = drawn.length - 1; at >= 0; at--) {
    const plain = (drawn[at] ?? '').replace(SEQUENCE, '');
    if (plain !== '') return plain;
  }
  return '';
}
