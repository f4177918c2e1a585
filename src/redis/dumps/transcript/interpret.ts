/** What a reader of answers gets to work with, and what it gives. */
import type { ConnectionFact, ServerFact } from '../../../model/fact.js';
import type { Notes } from '../notes.js';
import type { AnswerBook } from './answer-book.js';
import type { Moments } from './moments.js';
import type { Question } from './question.js';
import type { Reply } from './reply.js';

export interface Desk {
  readonly book: AnswerBook;
  readonly notes: Notes;
  readonly moments: Moments;
  /** Tells the entry of a stream; false: it was told before, or is none of BullMQ's. */
  entry(question: Question, key: string, entry: StreamEntry): boolean;
  /** `<prefix>:<queue>` is a queue. */
  queue(question: Question, base: string): void;
  /** Redis about itself. */
  server(fact: Omit<ServerFact, 'type'>): void;
  /** A connection of a queue of that database that was open. */
  connection(question: Question, base: string, db: number, connection: Connection): void;
}

export type Connection = Omit<ConnectionFact, 'type' | 'prefix' | 'queue' | 'db' | 'offset'>;

export interface StreamEntry {
  readonly ms: number;
  readonly seq: number;
  readonly offset: number;
  readonly field: (name: string) => string | undefined;
}

/**
 * Reads the answer to one kind of command.
 *
 * @returns why the answer could not be used, if so.
 */
export type Interpret = (question: Question, reply: Reply, desk: Desk) => string | undefined;
