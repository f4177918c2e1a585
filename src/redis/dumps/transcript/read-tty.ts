/**
 * The rendering for people (redis-cli.c, cliFormatReplyTTY): indexes right-aligned to the width of the last, children
 * indented by the width of their parent's index, strings escaped as sdscatrepr does, so that one line never holds a part
 * of another value. `1)` list, `1~` set, `1#` map with ` => `, `1>` push.
 */
import { unquote } from '../../monitor/quoted.js';
import { NIL, type Parsed, type Reply } from './reply.js';

const MAX_DEPTH = 12;
const INDEX = /( *)(\d{1,9})([)~#>]) /y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const EMPTY = /^\(empty (?:array|list or set|list|set|hash|push)\)$/;

/** Reads an answer from its first line on. */
export class TtyAnswer {
  readonly #lines: readonly string[];
  #at = 0;
  #problem: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Index of the first line behind the answer. */
  get end(): number {
    return this.#at;
  }

  read(): Parsed {
    const reply = this.#value(0, 0);
    if (reply === undefined) return { problem: this.#problem ?? 'it is cut off' };
    return { reply };
  }

  #fail(problem: string): undefined {
    this.#problem ??= problem;
    return undefined;
  }

  /** The value that begins in the current line at `column`; afterwards the line behind it is the current one. */
  #value(column: number, depth: number): Reply | undefined {
    const line = this.#lines[this.#at] ?? '';
    INDEX.lastIndex = column;
    const index = INDEX.exec(line);
    if (index !== null && Number(index[2]) === 1) return this.#collection(column, index, depth);
    const text = line.slice(column);
    const at = this.#at++;
    return scalar(text, at) ?? this.#fail('a value is cut off');
  }

  #collection(column: number, first: RegExpExecArray, depth: number): Reply | undefined {
    if (depth >= MAX_DEPTH) return this.#fail('it is nested too deep');
    const [whole, spaces = '', , mark = ''] = first;
    const width = spaces.length + 1;
    const inner = column + whole.length;
    const items: Reply[] = [];
    const pairs: (readonly [Reply, Reply])[] = [];
    for (let count = 1; ; count++) {
      if (count > 1 && !this.#isItem(column, count, width, mark)) {
        // The width of the indexes tells how many digits their last one has.
        if (String(count - 1).length < width) return this.#fail(`it stops after ${count - 1} items`);
        return mark === '#' ? { is: 'map', pairs } : { is: 'list', items };
      }
      if (mark === '#') {
        const pair = this.#pair(inner, depth);
        if (pair === undefined) return undefined;
        pairs.push(pair);
      } else {
        const item = this.#value(inner, depth + 1);
        if (item === undefined) return undefined;
        items.push(item);
      }
    }
  }

  /** Whether the current line is item number `count` of a collection whose indexes begin at `column`. */
  #isItem(column: number, count: number, width: number, mark: string): boolean {
    const line = this.#lines[this.#at];
    const index = `${String(count).padStart(width)}${mark} `;
    return line?.startsWith(index, column) === true && line.slice(0, column).trim() === '';
  }

  #pair(column: number, depth: number): readonly [Reply, Reply] | undefined {
    const line = this.#lines[this.#at] ?? '';
    QUOTED.lastIndex = column;
    const quoted = QUOTED.exec(line);
    const arrow = quoted === null ? line.indexOf(' =>', column) : QUOTED.lastIndex;
    const key = arrow < 0 || !line.startsWith(' =>', arrow) ? undefined : scalar(line.slice(column, arrow), this.#at);
    if (key === undefined) return this.#fail('a field is cut off');
    // A collection stands below its key. Editors strip the space behind the arrow.
    let start = arrow + ' => '.length;
    if (line.length <= start) {
      this.#at++;
      start = column;
      if (this.#at >= this.#lines.length) return this.#fail('a field has no value');
    }
    const value = this.#value(start, depth + 1);
    return value && [key, value];
  }
}

function scalar(text: string, at: number): Reply | undefined {
  if (text.startsWith('"')) {
    QUOTED.lastIndex = 0;
    const quoted = QUOTED.exec(text);
    if (quoted === null || text.slice(QUOTED.lastIndex).trim() !== '') return undefined;
    const bytes = Buffer.from(quoted[1] ?? '', 'latin1');
    return { is: 'string', bytes: unquote(bytes, 0, bytes.length), at };
  }
  const plain = text.trimEnd();
  if (plain === '(nil)') return NIL;
  if (EMPTY.test(plain)) return { is: 'list', items: [] };
  const number = /^\((?:integer|double)\) (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf))$/.exec(plain)?.[1];
  if (number !== undefined) return { is: 'number', value: Number(number.replace('inf', 'Infinity')) };
  if (plain === '(true)' || plain === '(false)') return { is: 'number', value: plain === '(true)' ? 1 : 0 };
  if (plain.startsWith('(error) ')) return { is: 'error', text: plain.slice('(error) '.length) };
  if (plain === '' || /^\((?:$|i|d|n|t|f|em?p?|er)/.test(plain)) return undefined;
  return { is: 'status', text: plain };
}
