/** What one cell holds: text, or nothing. */
export type RecordCell = string | undefined;

/** Texts that exports write for "nothing". */
export const NULL_TEXTS: readonly string[] = ['', 'NULL', 'null', '\\N'];

export const cellOf = (text: string): RecordCell => (NULL_TEXTS.includes(text) ? undefined : text);
