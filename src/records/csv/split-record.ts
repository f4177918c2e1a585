/** RFC 4180: the cells of one record. Quotes count only at the beginning of a cell. */

/** Cells of a well-formed record, without its line end. A record that is not well-formed is cut as well as can be. */
export function splitRecord(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter);
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let cell = '';
    if (record.charCodeAt(at) === 34) {
      const end = closingQuote(record, at + 1);
      cell = record.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const next = record.indexOf(delimiter, at);
    cell += record.slice(at, next < 0 ? undefined : next);
    cells.push(cell);
    if (next < 0) return cells;
    at = next + delimiter.length;
  }
}

function closingQuote(record: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = record.indexOf('"', at);
    if (quote < 0) return record.length;
    if (record.charCodeAt(quote + 1) !== 34) return quote;
    at = quote + 2;
  }
}
