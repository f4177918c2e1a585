/**
 * Cuts a command line into words: as redis-cli does at its prompt (Redis sds.c, sdssplitargs), or as a POSIX shell does.
 * Text is Latin-1, one character a byte.
 */
import { unquote } from '../../monitor/quoted.js';

export interface Words {
  readonly words: readonly string[];
  /** What follows the words in a shell: a pipe, a redirection, a second command. */
  readonly operator: string;
}

const OPERATOR = /^(?:[|;&<>]|\d?>)/;
const SPACE = /\s/;

/** Undefined where a quote is left open or text touches a closing one, as redis-cli refuses it. */
export function splitPrompt(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|'((?:[^'\\]|\\.)*)'(?=\s|$)|([^\s"'][^\s"']*)(?=\s|$))/y;
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const found = pattern.exec(text);
    if (found === null) return undefined;
    const [, double, single, plain] = found;
    if (double !== undefined) words.push(unescaped(double));
    else words.push(single?.replace(/\\'/g, "'") ?? plain ?? '');
  }
  return words;
}

function unescaped(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return unquote(bytes, 0, bytes.length).toString('latin1');
}

/** Undefined where a quote is left open. */
export function splitShell(text: string): Words | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (SPACE.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (word === undefined && OPERATOR.test(text.slice(at, at + 2))) {
      return { words, operator: text.slice(at).trim() };
    } else if (letter === '|' || letter === ';' || letter === '&') {
      return { words: word === undefined ? words : [...words, word], operator: text.slice(at).trim() };
    } else if (letter === "'" || letter === '"') {
      const end = closingQuote(text, at, letter);
      if (end < 0) return undefined;
      const inside = text.slice(at + 1, end);
      word = (word ?? '') + (letter === "'" ? inside : inside.replace(/\\(["\\$`])/g, '$1'));
      at = end;
    } else if (letter === '\\') {
      at++;
      word = (word ?? '') + text.charAt(at);
    } else {
      word = (word ?? '') + letter;
    }
  }
  return { words: word === undefined ? words : [...words, word], operator: '' };
}

function closingQuote(text: string, open: number, quote: string): number {
  for (let at = open + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}
