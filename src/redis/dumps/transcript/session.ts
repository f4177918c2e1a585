/** The commands of a transcript and their answers, one after another. */
import type { ReadReport } from '../../../model/evidence.js';
import { UnknownLines } from '../../monitor/unknown-lines.js';
import { Answers } from './answers.js';
import type { CommandLine } from './command.js';
import { isShellLine, parseCommandLine } from './command-line.js';
import type { Desk } from './interpret.js';
import type { Question } from './question.js';
import { readAnswer, renderingOf } from './read-answer.js';
import { promptOfDate, shellClock } from './shell-line.js';
import { splitPrompt } from './split-args.js';

/** An answer longer than this is not kept in memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** A block of code in Markdown begins or ends. */
const FENCE = /^(?:```|~~~)[\w+-]{0,20}\s*$/;
/** Commands whose raw answer may hold any line as a part of a value. */
const HOLDS_TEXT = /^(?:HGETALL|HGET|HMGET|XRANGE|XREVRANGE|XREAD|GET)$/;
const QUOTED = /^>(?: |$)/;
/** What redis-cli prints, behind a quote mark. */
const QUOTED_ANSWER = /^> (?: *\d{1,9}[)~#] |\(|"|\[|\{|\S+$)/;
const MAX_TYPED = 1000;
/** Prompt of `set -x`: a script, which writes to no terminal. */
const TRACE = /^\++ $/;

interface OpenCommand {
  readonly command: CommandLine;
  readonly question: Question;
  readonly lines: string[];
  /** The first of them that is not blank; empty until there is one. Found once: any number of blank ones may precede it. */
  firstText: string;
  readonly offsets: number[];
  margin: string;
  bytes: number;
  isOver: boolean;
}

/** Commands that are typed into one call of redis-cli. */
interface Heredoc {
  readonly command: CommandLine;
  readonly delimiter: string;
  readonly typed: string[];
  readonly line: number;
  readonly offset: number;
}

export class Session {
  readonly #desk: Desk;
  readonly #answers: Answers;
  readonly #unread = new UnknownLines();
  #open: OpenCommand | undefined;
  #heredoc: Heredoc | undefined;
  #shellPrompt = '';
  #isInFence = false;
  /** The line before asked the shell for the time. */
  #asksTime = false;
  #db = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#answers = new Answers(desk, (db) => {
      this.#db = db;
    });
  }

  /** Commands with an answer. */
  get answers(): number {
    return this.#answers.count;
  }

  /** Those of them that could be read. */
  get readable(): number {
    return this.#answers.readable;
  }

  line(text: string, line: number, offset: number): void {
    if (this.#heredoc !== undefined && this.#typed(this.#heredoc, text)) return;
    if (this.#fence(text)) return;
    const command = this.#commandIn(text);
    if (command !== undefined) {
      this.#close(false);
      this.#begin(command, line, offset);
    } else if (!this.#shellLine(text)) this.#answerLine(text, offset);
  }

  /** @param isOpen the last line has no end. */
  finish(isOpen: boolean): void {
    this.#close(isOpen && this.#open?.isOver === false);
  }

  unread(): ReadReport['unknownShapes'] {
    return this.#unread.shapes();
  }

  /** The edges of a block of code; what stands outside of it is no answer. */
  #fence(text: string): boolean {
    if (!FENCE.test(text.trimStart().replace(/^(?:> ?)+/, ''))) return false;
    const open = this.#open;
    const isWaiting = open !== undefined && !open.isOver && open.firstText === '';
    if (!this.#isInFence && open !== undefined && !open.isOver && !isWaiting) {
      // A value may hold such a line, and a raw answer shows it bare.
      if (open.command.from === 'shell' && HOLDS_TEXT.test(open.question.name)) return false;
      open.isOver = true;
    }
    if (this.#isInFence && open !== undefined) open.isOver = true;
    this.#isInFence = !this.#isInFence;
    return true;
  }

  /** Within a raw answer of a shell's command, what looks like redis-cli's prompt is a part of a value. */
  #commandIn(text: string): CommandLine | undefined {
    const command = parseCommandLine(text);
    // Where each command stands behind a prompt, one without is the output of some other.
    if (command?.from === 'shell' && command.shellPrompt === '' && this.#shellPrompt !== '') return undefined;
    const open = this.#open;
    if (command?.from !== 'prompt' || open?.command.from !== 'shell' || open.isOver) return command;
    if (open.question.name === '') return command;
    const isRaw =
      open.lines.length === 0
        ? open.command.rendering === 'raw'
        : renderingOf(open.firstText, open.command.rendering) === 'raw';
    return isRaw ? undefined : command;
  }

  /** Another line of the same shell ends an answer. Its clock bounds the answers around it. */
  #shellLine(text: string): boolean {
    if (this.#asksTime) {
      this.#asksTime = false;
      this.#desk.moments.shell(text);
      return true;
    }
    const isAnswer = this.#open !== undefined && !this.#open.isOver;
    const datePrompt = isAnswer ? undefined : promptOfDate(text);
    const isPrompt = datePrompt !== undefined || isShellLine(text, this.#shellPrompt);
    if (!isPrompt || this.#isQuoted(text)) return false;
    this.#close(false);
    this.#asksTime = promptOfDate(text) !== undefined;
    this.#desk.moments.shell(shellClock(text) ?? '');
    return true;
  }

  /** `> redis-cli …` was quoted, not typed at a prompt, if its answer is. */
  #isQuoted(text: string): boolean {
    if (this.#shellPrompt !== '> ' || this.#open?.lines.length !== 0 || !QUOTED_ANSWER.test(text)) return false;
    this.#shellPrompt = '';
    return true;
  }

  #answerLine(text: string, offset: number): void {
    const open = this.#open;
    if (open === undefined || open.isOver) return;
    // redis-cli begins no answer so.
    if (open.lines.length === 0 && open.margin === '' && QUOTED.test(text)) open.margin = '> ';
    if (!isWithinMargin(text, open.margin)) {
      open.isOver = true;
      return;
    }
    const kept = withoutMargin(text, open.margin);
    // Between a command and its answer, unless it is one.
    if (open.lines.length === 0 && kept.trim() === '' && !hasBlankNil(open.command)) return;
    open.bytes += kept.length + 16;
    if (open.bytes > MAX_ANSWER_BYTES) return;
    open.lines.push(kept);
    if (open.firstText === '' && kept.trim() !== '') open.firstText = kept;
    open.offsets.push(offset);
  }

  #begin(command: CommandLine, line: number, offset: number): void {
    this.#asksTime = false;
    this.#shellPrompt = command.shellPrompt;
    if (command.clock !== undefined) this.#desk.moments.shell(command.clock);
    if (command.heredoc !== undefined) {
      this.#heredoc = { command, delimiter: command.heredoc, typed: [], line, offset };
      return;
    }
    const [name = '', ...args] = command.words;
    if (command.db !== undefined) this.#db = command.db;
    const offsets: number[] = [];
    const offsetOfLine = (at: number) => offsets[at] ?? offset;
    const question = { name: name.toUpperCase(), args, db: this.#db, line, offset, offsetOfLine };
    const { margin } = command;
    this.#open = { command, question, lines: [], firstText: '', offsets, margin, bytes: 0, isOver: false };
  }

  /** A line of a here-document; a shell shows `> ` before each. Returns whether it is one. */
  #typed({ command, delimiter, typed, line, offset }: Heredoc, text: string): boolean {
    const plain = text.replace(/^> /, '').trim();
    const isEnd = plain === delimiter;
    const from = isEnd || plain === text.trim() ? parseCommandLine(text)?.from : undefined;
    if (!isEnd && typed.length < MAX_TYPED && from !== 'prompt' && from !== 'shell') {
      if (plain !== '') typed.push(plain);
      return true;
    }
    this.#heredoc = undefined;
    const words = splitPrompt(typed[0] ?? '') ?? [];
    const spoiled = isEnd
      ? typed.length > 1
        ? `${typed.length} commands were sent at once, so their answers run together`
        : command.spoiled
      : 'its here-document has no end';
    this.#begin({ ...command, words, heredoc: undefined, spoiled }, line, offset);
    return isEnd;
  }

  #close(isOpen: boolean): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || open.question.name === '') return;
    const { question, lines } = open;
    if (!this.#answers.knows(question)) {
      this.#unread.count(`command ${question.name.slice(0, 20)}`, question.line);
      return;
    }
    this.#answers.take(question, lines, () => answerOf(open, isOpen));
  }
}

function answerOf({ command, lines, firstText, bytes }: OpenCommand, isOpen: boolean): ReturnType<typeof readAnswer> {
  if (command.spoiled !== undefined) return { problem: command.spoiled };
  if (bytes > MAX_ANSWER_BYTES) return { problem: 'it is too long' };
  const rendering = renderingOf(firstText, command.rendering);
  return readAnswer(lines, { rendering, isOpen, hasBlankNil: hasBlankNil(command) });
}

/** Whether a blank line is an answer: on a terminal redis-cli says `(nil)`. */
const hasBlankNil = ({ rendering, shellPrompt }: CommandLine): boolean =>
  rendering === 'raw' || TRACE.test(shellPrompt);

/** Whether a line belongs to the same quotation or indented block. */
const isWithinMargin = (text: string, margin: string): boolean =>
  margin.trim() === ''
    ? text.trim() === '' || /^[ \t]*/.exec(text)?.[0].length !== 0 || margin === ''
    : text.startsWith(margin.trimEnd());

/** A line of a quoted or indented answer; editors strip the space behind the last mark of an empty one. */
function withoutMargin(text: string, margin: string): string {
  if (margin === '') return text;
  if (text.startsWith(margin)) return text.slice(margin.length);
  const trimmed = margin.trimEnd();
  if (trimmed !== '') return text.startsWith(trimmed) ? text.slice(trimmed.length) : text;
  // Indentation: tabs and spaces may be mixed, but no more is taken away than the command had.
  let at = 0;
  while (at < margin.length && (text[at] === ' ' || text[at] === '\t')) at++;
  return text.slice(at);
}
