/**
 * Text that evidence wrote, within a sentence of ours: always between these marks, so that it can be told from our own words
 * later (`--redact` takes it out).
 */
export const OPENING_QUOTE = '\u201c';
export const CLOSING_QUOTE = '\u201d';

export const quoteEvidence = (text: string): string => `${OPENING_QUOTE}${text}${CLOSING_QUOTE}`;
