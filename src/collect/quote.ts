/** A value in the text of a script: whatever it holds, it must stay a value. */

/** For sh: within single quotes nothing has a meaning but the quote itself. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * As redis-cli takes it at its prompt between double quotes, without them. What is no printable ASCII is written byte by byte,
 * so that a name with line breaks stays on its line.
 */
export function redisEscaped(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      if (letter === '"' || letter === '\\') return `\\${letter}`;
      return byte >= 0x20 && byte < 0x7f ? letter : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}
