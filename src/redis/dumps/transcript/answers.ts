/** Hands each answer to the reader of its command, and judges commands that cannot answer what was asked. */
import type { Desk, Interpret } from './interpret.js';
import { commandText, type Question } from './question.js';
import { hashReaders } from './read-hashes.js';
import { keyReaders } from './read-keys.js';
import { memberReaders } from './read-members.js';
import { printsText, readPrinted, serverReaders } from './read-server.js';
import { streamReaders } from './read-streams.js';
import { stringReaders } from './read-strings.js';
import type { Parsed, Reply } from './reply.js';
import { costlyCommand, wrongCommand } from './right-command.js';

const READERS: ReadonlyMap<string, Interpret> = new Map(
  Object.entries({
    ...{ ...hashReaders, ...memberReaders, ...stringReaders },
    ...{ ...streamReaders, ...serverReaders, ...keyReaders },
  }),
);
/** Commands whose answers say nothing that facts could hold, but are no unknown words either. */
const SILENT = /^(?:PING|ECHO|SELECT|AUTH|HELLO|MULTI|DISCARD|QUIT|EXIT|CLIENT|DBSIZE|COMMAND|OBJECT|MEMORY)$/;

export class Answers {
  count = 0;
  readable = 0;
  readonly #desk: Desk;
  readonly #onSelect: (db: number) => void;
  /** Commands between MULTI and EXEC, which answers all of them. */
  #queued: Question[] = [];

  constructor(desk: Desk, onSelect: (db: number) => void) {
    this.#desk = desk;
    this.#onSelect = onSelect;
  }

  knows({ name }: Question): boolean {
    return READERS.has(name) || name === 'EXEC' || SILENT.test(name) || printsText(name);
  }

  /** @param parse reads the lines as one reply. */
  take(question: Question, lines: readonly string[], parse: () => Parsed): void {
    this.count++;
    const costly = costlyCommand(question.name, question.args);
    if (costly !== undefined) this.#desk.notes.limit('costly command', costly, question);
    if (readPrinted(question, lines, this.#desk)) {
      this.readable++;
      return;
    }
    const { name } = question;
    if (SILENT.test(name) && name !== 'SELECT' && name !== 'MULTI' && name !== 'DISCARD') {
      this.readable++;
      return;
    }
    const parsed = parse();
    if ('reply' in parsed) this.#reply(question, parsed.reply);
    else {
      this.#judgeWord(question, false);
      this.#leave(question, parsed.problem);
    }
  }

  #reply(question: Question, reply: Reply): void {
    const { name, args } = question;
    if (reply.is === 'status' && reply.text === 'QUEUED') {
      this.#queued.push(question);
      this.readable++;
      return;
    }
    if (name === 'SELECT' && reply.is === 'status' && /^\d{1,4}$/.test(args[0] ?? '')) this.#onSelect(Number(args[0]));
    if (name === 'MULTI' || name === 'DISCARD') this.#queued = [];
    if (name === 'EXEC') this.#transaction(question, reply);
    else {
      this.#desk.book.nextMoment();
      this.#answer(question, reply);
    }
  }

  #transaction(question: Question, reply: Reply): void {
    const queued = this.#queued;
    this.#queued = [];
    if (reply.is === 'nil' || reply.is === 'error') this.readable++;
    else if (reply.is !== 'list' || reply.items.length !== queued.length) {
      this.#leave(question, 'its answers do not match the commands before it');
    } else {
      this.readable++;
      this.#desk.book.nextMoment();
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
        const text = oneError(reply.text);
        this.#desk.notes.add(`${commandText(question)} was refused (${text}): it says nothing`, question);
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
    const wrong = wrongCommand(question.name, question.args, isRefused);
    if (wrong !== undefined) {
      const asked = `${commandText(question)}${isRefused ? ' was refused' : ''}`;
      this.#desk.notes.limit('wrong command', `${asked}: ${wrong}`, question);
    }
    return wrong !== undefined;
  }

  #leave(question: Question, problem: string): void {
    this.#desk.notes.add(`the answer of ${commandText(question)} was not used: ${problem}`, question);
  }
}

const oneError = (text: string): string => text.slice(0, 80);
