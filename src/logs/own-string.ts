/**
 * A string that outlives its line must not keep the line. V8 makes a substring of 13 or more characters a view into the
 * string it was cut from, so one remembered id could hold on to a megabyte.
 */
import { Buffer } from 'node:buffer';

/** The same text in memory of its own. */
export function ownString(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
