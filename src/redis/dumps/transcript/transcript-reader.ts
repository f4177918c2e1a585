/** The source reader for transcripts of redis-cli. */
import type { EvidenceSink, ReadOptions, ReadReport, SourceReader } from '../../../model/evidence.js';
import type { ServerFact } from '../../../model/fact.js';
import { CustomEvents } from '../../custom-events.js';
import { parseQueueKey, splitBase } from '../../keyspace.js';
import { LineFeed } from '../../monitor/line-feed.js';
import { QueueKeys } from '../../queue-keys.js';
import { ByteWindow } from '../../rdb/window.js';
import { entryToEvent } from '../../to-events.js';
import { Notes } from '../notes.js';
import { AnswerBook } from './answer-book.js';
import { cleanLine } from './clean-line.js';
import { detectTranscript } from './detect.js';
import type { Connection, Desk, StreamEntry } from './interpret.js';
import { Moments } from './moments.js';
import { type Question, wordText } from './question.js';
import { Session } from './session.js';
import { tellBook, unaskedNote } from './tell-book.js';

/** An entry that is shown twice is told once, among so many. */
const MAX_REMEMBERED = 500_000;

/** Reads one transcript into the sink. */
class TranscriptReading implements Desk {
  readonly book = new AnswerBook();
  readonly notes = new Notes();
  readonly moments: Moments;
  readonly #sink: EvidenceSink;
  readonly #prefix: string | undefined;
  readonly #keys: QueueKeys;
  readonly #custom = new CustomEvents();
  readonly #told = new Set<string>();
  /** Queues that answers about something else show, by database; each with the offset of the command. */
  readonly #queues = new Map<number, Map<string, number>>();
  readonly #unaskedLocks: string[] = [];
  #entries = 0;

  constructor(sink: EvidenceSink, options: ReadOptions) {
    this.#sink = sink;
    this.#prefix = options.prefix;
    this.#keys = new QueueKeys(sink, options.prefix);
    this.moments = new Moments(options);
  }

  async read(input: ByteWindow): Promise<ReadReport> {
    const session = new Session(this);
    const feed = new LineFeed(input);
    const take = () => session.line(cleanLine(input.bytes.subarray(feed.from, feed.to)), feed.count, feed.offset);
    do {
      while (feed.next()) take();
      if (this.book.isFull) this.#tell();
      await this.#sink.settle();
    } while (await input.fill());
    const isOpen = feed.last();
    if (isOpen) take();
    session.finish(isOpen);
    this.#tell();
    this.#keys.finish();
    this.#tellMoment();
    if (feed.cutLines > 0) this.notes.add(`${feed.cutLines} very long lines were read in part`);
    if (input.sourceError !== undefined) this.notes.add(`the source broke off: ${input.sourceError}`, input);
    return this.#report(session);
  }

  entry(question: Question, key: string, { ms, seq, offset, field }: StreamEntry): boolean {
    const name = wordText(key);
    const id = `${question.db} ${name} ${ms}-${seq}`;
    if (this.#told.has(id)) return false;
    if (this.#told.size < MAX_REMEMBERED) this.#told.add(id);
    this.#entries++;
    this.moments.past(ms);
    const found = parseQueueKey(name, 'stream');
    if (found?.what !== 'events' || !this.#keys.gate.takes(found)) return false;
    const place = { name: splitBase(found.base, this.#prefix, question.db), ms, seq, offset, deleted: false };
    const event = entryToEvent(place, field);
    if (event === undefined) {
      this.#custom.count(field('event') ?? '', seq);
      return false;
    }
    this.queue(question, found.base);
    this.#sink.event(event);
    return true;
  }

  queue({ db, offset }: Question, base: string): void {
    const queues = this.#queues.get(db) ?? new Map<string, number>();
    this.#queues.set(db, queues.set(base, offset));
  }

  server(fact: Omit<ServerFact, 'type'>): void {
    this.#sink.fact({ type: 'server', ...fact });
  }

  connection(question: Question, base: string, db: number, connection: Connection): void {
    if (!this.#keys.gate.covers(`${base}:`)) {
      this.#keys.gate.leave(base);
      return;
    }
    this.queue({ ...question, db }, base);
    const { offset } = question;
    this.#sink.fact({ type: 'connection', ...splitBase(base, this.#prefix, db), offset, ...connection });
  }

  #tell(): void {
    const { moments, notes } = this;
    const telling = { keys: this.#keys, sink: this.#sink, moments, notes, queues: this.#queues };
    this.#unaskedLocks.push(...tellBook(this.book, telling));
  }

  #tellMoment(): void {
    if (this.#unaskedLocks.length > 0) this.notes.limit('not asked', unaskedNote(this.#unaskedLocks));
    const { span } = this.moments;
    if (span !== undefined) this.#sink.fact({ type: 'snapshot', isPartial: true, momentMs: span });
  }

  #report(session: Session): ReadReport {
    return {
      kind: 'redis',
      format: 'transcript',
      reason: `commands of redis-cli and their answers; ${session.readable} of ${session.answers} answers could be read`,
      records: session.answers + this.#entries,
      understood: session.readable + this.#entries - this.#custom.total,
      damage: this.notes.list(),
      limits: [...this.notes.limits(), ...this.#keys.gate.limits()],
      assumptions: this.moments.assumptions.map((value) => ({ name: 'moment', value })),
      unknownShapes: [...session.unread(), ...this.#custom.shapes()].slice(0, 20),
    };
  }
}

export const transcriptReader: SourceReader = {
  name: 'transcript',
  detect: detectTranscript,
  read: (blocks, sink, options) => new TranscriptReading(sink, options).read(new ByteWindow(blocks)),
};
