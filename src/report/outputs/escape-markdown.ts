/**
 * Values as inert GitHub Flavored Markdown.
 *
 * A backslash is enough for most of the grammar, but links, mentions, issue numbers, emoji and formulas are found by later
 * passes that no longer see the backslash (cmark-gfm's autolinks on merged text, GitHub's own filters on the finished
 * HTML). All of those leave code alone, so a word that could set one off becomes inline code and keeps its characters.
 */
import { visible } from './visible.js';

const RISKY = new RegExp(
  [
    '[a-z][a-z0-9+.-]*://', // any scheme
    'www\\.', // also after an underscore or a bracket
    '(?:mailto|xmpp|javascript|data|vbscript):',
    '@[\\w-]', // mention, e-mail
    '#\\d|GH-\\d', // issue
    ':(?:[+-]1|100|1234|[\\w+-]*[a-z][\\w+-]*):', // emoji, not the colons of a time
    '\\$', // formula
  ].join('|'),
  'i',
);

/** Any value as text: no markup, link, HTML, table cell or list can come out of it, wherever in a line it stands. */
export function md(value: string): string {
  const words = visible(value)
    .split(/ +/)
    .filter((word) => word !== '');
  return words.map((word, index) => (RISKY.test(word) ? inlineCode(word) : escapeWord(word, index === 0))).join(' ');
}

/**
 * Any value as inline code. A pipe would end a table cell even inside code, and a backslash before it would be shown
 * outside of tables, so the code is split there and the pipe stands between as text: right in both places.
 */
export function inlineCode(value: string): string {
  return visible(value)
    .split('|')
    .map((piece) => (piece === '' ? '' : codeSpan(piece)))
    .join('\\|');
}

/** Lines as a fenced block whose fence no line can close. */
export function fenced(lines: readonly string[], language = ''): string {
  const shown = lines.map(visible);
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return [fence + language, ...shown, fence].join('\n');
}

function codeSpan(piece: string): string {
  const fence = '`'.repeat(longestRun(piece) + 1);
  const pad = piece.startsWith('`') || piece.endsWith('`') || (/^ .* $/.test(piece) && /[^ ]/.test(piece)) ? ' ' : '';
  return fence + pad + piece + pad + fence;
}

function longestRun(value: string): number {
  return Math.max(0, ...[...value.matchAll(/`+/g)].map((run) => run[0].length));
}

function escapeWord(word: string, leading: boolean): string {
  const escaped = word
    .replace(/[\\`*[\]~|!{}]/g, '\\$&')
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\_')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
  // Only the first word of a value can open a line: `-`, `+` and `1.` a list, `#` a heading, `---` and `===` a rule.
  if (!leading) return escaped;
  return escaped.replace(/^(?:[-+=]+$|[#:])/, '\\$&').replace(/^(\d{1,9})([.)])$/, '$1\\$2');
}
