/** Values as helpers of templates get them. Handlebars' own strictness ends at a helper's arguments. */

/** @throws with the line of the template, for what is not there or is no text */
export function printable(value: unknown, options: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const what =
    value === undefined || value === null ? 'there is no such value' : 'this is no text but a part of the report';
  throw Object.assign(new Error(what), { lineNumber: lineOf(options) });
}

function lineOf(options: unknown): number | undefined {
  if (typeof options !== 'object' || options === null || !('loc' in options)) return undefined;
  const { loc } = options;
  if (typeof loc !== 'object' || loc === null || !('start' in loc)) return undefined;
  const { start } = loc;
  return typeof start === 'object' && start !== null && 'line' in start && typeof start.line === 'number'
    ? start.line
    : undefined;
}
