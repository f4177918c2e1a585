/** Wrapping and colours for terminals. Texts come in without control characters; the only escapes are the ones made here. */
import type { Tone } from '../parts.js';
import { textWidth } from './text-width.js';

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  tone(tone: Tone, text: string): string;
}

const TONES: Readonly<Record<Tone, string>> = {
  shown: '31',
  likely: '33',
  possible: '36',
  'cannot-tell': '35',
  plain: '32',
};

/** Select Graphic Rendition codes, or none where colour is not wanted. */
export function painter(color: boolean): Paint {
  const sgr = (code: string, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: (text) => sgr('1', text),
    dim: (text) => sgr('2', text),
    tone: (tone, text) => sgr(TONES[tone], text),
  };
}

/**
 * Breaks a text at spaces so that no line is wider than `width`; a longer word gets a line of its own.
 * @param indent before the first line
 * @param hanging before the others, the same where not given
 */
export function wrap(text: string, width: number, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line.trimEnd());
      [line, empty] = [hanging, true];
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line.trimEnd()];
}
