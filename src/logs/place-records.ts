/** Gives each entry of a source its place (`model/place.ts`) as it comes. */
import { placeAt } from '../model/place.js';
import { MAX_RECORD_LINES } from './assemble.js';

export interface PlaceKeeper {
  /** The place of an entry that begins on that line; `text` may be of several lines. */
  next(line: number, text: string): number;
}

export function createPlaceKeeper(newestFirst: boolean): PlaceKeeper {
  let lastLine = 0;
  /** Lines of text that entries on that line have held. */
  let passed = 0;
  return {
    next(line, text) {
      if (line !== lastLine) passed = 0;
      lastLine = line;
      const lines = text.includes('\n') ? text.split('\n', MAX_RECORD_LINES).length : 1;
      const nth = passed;
      passed += lines;
      // However the source runs, the first line of an entry comes before its others, and some may still follow.
      return newestFirst ? placeAt(line, nth + lines + MAX_RECORD_LINES, true) : placeAt(line, nth, false);
    },
  };
}
