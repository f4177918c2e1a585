/** The commands of a transcript and their answers, one after another. */
import type { ReadReport } from '../../../model/evidence.js';
import { UnknownLines } from '../../monitor/unknown-lines.js';
import { type CommandLine, isShellLine, parseCommandLine } from './command-line.js';
import type { Desk, Interpret } from './interpret.js';
import { commandText, type Question, wordText } from './question.js';
import { readAnswer, renderingOf } from './read-answer.js';
import { hashReaders } from './read-hashes.js';
import { memberReaders } from './read-members.js';
import { readPrinted, serverReaders } from './read-server.js';
import { streamReaders } from './read-streams.js';
import { stringReaders } from './read-strings.js';
import type { Parsed, Reply } from './reply.js';
import { wrongCommand } from './right-command.js';

const READERS: ReadonlyMap<string, Interpret> = new Map(
  Object.entries({ ...hashReaders, ...memberReaders, ...stringReaders, ...streamReaders, ...serverReaders }),
);
/** Commands whose answers say nothing that facts could hold, but are no unknown words either. */
const SILENT = /^(?:LLEN|SCARD|ZCARD|XLEN|TYPE|PING|SELECT|AUTH|HELLO|MULTI|DISCARD|QUIT|EXIT|CLIENT|DBSIZE)$/;
/** An answer longer than this is not kept in memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

interface OpenCommand {
  readonly command: CommandLine;
  readonly question: Question;
  readonly lines: string[];
  readonly offsets: number[];
  bytes: number;
  isOver: boolean;
}

export class Session {
  /** Commands with an answer, and those of them that could be read. */
  answers = 0;
  readable = 0;
  readonly #desk: Desk;
  readonly #unread = new UnknownLines();
  #open: OpenCommand | undefined;
  #db = 0;
  /** Commands between MULTI and EXEC, which answers all of them. */
  #queued: Question[] = [];

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  line(text: string, line: number, offset: number): void {
    const command = this.#commandIn(text);
    if (command !== undefined) {
      this.#close(false);
      this.#begin(command, line, offset);
      return;
    }
    const open = this.#open;
    if (open === undefined || open.isOver) return;
    if (open.command.from === 'shell' && isShellLine(text, open.command.shellPrompt)) {
      open.isOver = true;
      return;
    }
    open.bytes += text.length + 16;
    if (open.bytes > MAX_ANSWER_BYTES) return;
    open.lines.push(text);
    open.offsets.push(offset);
  }

  /** @param isOpen the last line has no end. */
  finish(isOpen: boolean): void {
    this.#close(isOpen && this.#open?.isOver === false);
  }

  unread(): ReadReport['unknownShapes'] {
    return this.#unread.shapes();
  }

  /** Within a raw answer of a shell's command, what looks like redis-cli's prompt is a part of a value. */
  #commandIn(text: string): CommandLine | undefined {
    const command = parseCommandLine(text);
    const open = this.#open;
    if (command?.from !== 'prompt' || open?.command.from !== 'shell' || open.isOver) return command;
    if (open.question.name === '') return command;
    const isRaw =
      open.lines.length === 0
        ? open.command.rendering === 'raw'
        : renderingOf(open.lines, open.command.rendering) === 'raw';
    return isRaw ? undefined : command;
  }

  #begin(command: CommandLine, line: number, offset: number): void {
    const [name = '', ...args] = command.words;
    if (command.db !== undefined) this.#db = command.db;
    const offsets: number[] = [];
    const offsetOfLine = (at: number) => offsets[at] ?? offset;
    const question = { name: name.toUpperCase(), args, db: this.#db, line, offset, offsetOfLine };
    this.#open = { command, question, lines: [], offsets, bytes: 0, isOver: false };
  }

  #close(isOpen: boolean): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || open.question.name === '') return;
    const { question, lines } = open;
    const { name } = question;
    if (!READERS.has(name) && name !== 'INFO' && name !== 'EXEC' && !SILENT.test(name)) {
      this.#unread.count(`command ${name.slice(0, 20)}`, question.line);
      return;
    }
    this.answers++;
    if (readPrinted(question, lines, this.#desk)) {
      this.readable++;
      return;
    }
    if (SILENT.test(name) && name !== 'SELECT' && name !== 'MULTI' && name !== 'DISCARD') {
      this.readable++;
      this.#judgeWord(
        question,
        lines.some((line) => line.includes('WRONGTYPE')),
      );
      return;
    }
    const parsed = answerOf(open, isOpen);
    if ('reply' in parsed) {
      this.#take(question, parsed.reply);
    } else {
      this.#judgeWord(question, false);
      this.#leave(question, parsed.problem);
    }
  }

  #take(question: Question, reply: Reply): void {
    const { name, args } = question;
    if (reply.is === 'status' && reply.text === 'QUEUED') {
      this.#queued.push(question);
      this.readable++;
      return;
    }
    if (name === 'SELECT' && reply.is === 'status' && /^\d{1,4}$/.test(args[0] ?? '')) this.#db = Number(args[0]);
    if (name === 'MULTI' || name === 'DISCARD') this.#queued = [];
    if (name === 'EXEC') this.#takeAll(question, reply);
    else this.#answer(question, reply);
  }

  #takeAll(question: Question, reply: Reply): void {
    const queued = this.#queued;
    this.#queued = [];
    if (reply.is === 'nil' || reply.is === 'error') this.readable++;
    else if (reply.is !== 'list' || reply.items.length !== queued.length) {
      this.#leave(question, 'its answers do not match the commands before it');
    } else {
      this.readable++;
      for (const [at, one] of queued.entries()) {
        const part = reply.items[at];
        // The entries of a transaction stand in the answer of EXEC.
        if (part) this.#answer({ ...one, offsetOfLine: question.offsetOfLine }, part);
      }
    }
  }

  #answer(question: Question, reply: Reply): void {
    if (reply.is === 'error') {
      this.readable++;
      const refused = reply.text.startsWith('WRONGTYPE');
      if (!this.#judgeWord(question, refused)) {
        this.#desk.notes.add(
          `${commandText(question)} was refused (${reply.text.slice(0, 80)}): it says nothing`,
          question,
        );
      }
      return;
    }
    if (this.#judgeWord(question, false)) {
      this.readable++;
      return;
    }
    const problem = READERS.get(question.name)?.(question, reply, this.#desk);
    if (problem === undefined) this.readable++;
    else this.#leave(question, problem);
  }

  /** Notes a command that cannot answer what was asked. Returns whether it is one. */
  #judgeWord(question: Question, isRefused: boolean): boolean {
    const wrong = wrongCommand(question.name, wordText(question.args[0] ?? ''), isRefused);
    if (wrong !== undefined)
      this.#desk.notes.add(`${commandText(question)}${isRefused ? ' was refused' : ''}: ${wrong}`, question);
    return wrong !== undefined;
  }

  #leave(question: Question, problem: string): void {
    this.#desk.notes.add(`the answer of ${commandText(question)} was not used: ${problem}`, question);
  }
}

function answerOf({ command, lines, bytes }: OpenCommand, isOpen: boolean): Parsed {
  if (command.spoiled !== undefined) return { problem: command.spoiled };
  if (bytes > MAX_ANSWER_BYTES) return { problem: 'it is too long' };
  return readAnswer(lines, renderingOf(lines, command.rendering), isOpen);
}
