/** JSON lines, parsed one by one: more than twice as fast as a parser that streams. */
import { LONGEST_RECORD, scanRecords } from '../csv/scan-records.js';
import type { OnFault, OnValue } from './value-sink.js';

/** Whole numbers that a double cannot hold: a snowflake id read as a number would become another id. */
const LONG_NUMBER = /([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g;

export async function readLines(blocks: AsyncIterable<Uint8Array>, take: OnValue, fault: OnFault): Promise<void> {
  await scanRecords(blocks, { hasHeader: false }, ({ bytes, line, offset, fault: wrong }) => {
    if (wrong !== undefined) {
      fault(`a line longer than ${LONGEST_RECORD / 1e6} MB was left out`, line, offset);
      return;
    }
    const text = bytes.toString('utf8').trim();
    if (text === '') return;
    const value = parse(text);
    if (value === undefined) fault('a line is not JSON', line, offset);
    else take(value, line, offset);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(LONG_NUMBER, '$1"$2"'));
  } catch {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}
