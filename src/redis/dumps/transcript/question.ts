/** A command of the transcript, as the readers of answers see it. */
export interface Question {
  /** Upper case. */
  readonly name: string;
  /** Latin-1, one character a byte. */
  readonly args: readonly string[];
  readonly db: number;
  /** 1-based line of the command, and its byte offset. */
  readonly line: number;
  readonly offset: number;
  /** Byte offset of a line of the answer, counted from 0. */
  readonly offsetOfLine: (at: number) => number;
}

/** Bytes of a word, as text. */
export const wordText = (word: string): string => Buffer.from(word, 'latin1').toString('utf8');

/** A command for a sentence: one line, not endless. */
export const commandText = ({ name, args }: Pick<Question, 'name' | 'args'>): string => {
  const text = [
    name,
    ...args.map((arg) => (/^[^\s"']+$/.test(arg) ? wordText(arg) : JSON.stringify(wordText(arg)))),
  ].join(' ');
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
};
