/** Exit codes of the contract; the highest that applies, in the order 2, 3, 1, 4. */
export const EXIT = {
  done: 0,
  found: 1,
  usage: 2,
  noResult: 3,
  inputUnread: 4,
  interrupted: 130,
} as const;

/** Wrong use or configuration: the message is one line for the user. */
export class UsageError extends Error {}

/** The exit code of an analysis. */
export function exitCodeOf(result: { anyRead: boolean; found: boolean; inputUnread: boolean }): number {
  if (!result.anyRead) return EXIT.noResult;
  if (result.found) return EXIT.found;
  return result.inputUnread ? EXIT.inputUnread : EXIT.done;
}
