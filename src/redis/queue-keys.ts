/**
 * The keys of a snapshot, recognised and told to a sink: facts, and the events of streams. What can be told at once is
 * told and forgotten, so that a queue of a million finished jobs needs no more memory than one of ten.
 */
import type { EvidenceSink } from '../model/evidence.js';
import type { JobFact, MemberFact, QueueSet } from '../model/fact.js';
import { CustomEvents } from './custom-events.js';
import { parseQueueKey, type QueueKey } from './keyspace.js';
import { PrefixGate } from './prefix-gate.js';
import { QueueBook } from './queue-book.js';
import { AsciiNames } from './rdb/ascii-names.js';
import type { RdbHandler, RdbKey, RdbKind, RdbString, RdbValueSink } from './rdb/index.js';
import { SCHEDULER_FIELDS, type SchedulerField, schedulerTemplate } from './scheduler-template.js';
import { StreamSink } from './stream-sink.js';
import { oneLine } from './to-events.js';
import { JobHash } from './to-facts.js';

const MAX_VALUE_BYTES = 200;
const MAX_PAYLOAD_BYTES = 256 * 1024;
const SCHEDULER_NAMES = new AsciiNames(SCHEDULER_FIELDS);
const COLON = 58;
const ZERO = 48;
const DIGITS = /^\d+$/;

/** Fields of `<queue>:meta`; other fields, and hashes that have none of these, are some other program's. */
const META_FIELDS = ['opts.maxLenEvents', 'paused', 'concurrency', 'max', 'duration', 'version', 'library'] as const;
const META_NAMES = new AsciiNames(META_FIELDS);

/** Last letters of the names that `parseQueueKey` knows, so that most foreign keys are never decoded. */
const LAST_LETTERS: Readonly<Record<RdbKind, string | undefined>> = {
  string: 'kdr', // lock, stalled-check, meta-paused, id, limiter
  list: 'tde', // wait, paused, active
  set: 'd', // stalled
  zset: 'dn', // delayed, prioritized, completed, failed, waiting-children
  stream: 's', // events
  hash: undefined, // any id
  module: '',
};

/** Recognises keys and tells what they hold. */
export class QueueKeys implements RdbHandler {
  redisVersion: string | undefined;
  /** AUX `ctime`: when the saving began, in seconds. */
  savedAtSeconds: number | undefined;
  readonly customEvents = new CustomEvents();
  /** Keys that say something about a queue or job. */
  told = 0;
  /** Entries of events streams. */
  entries = 0;
  /** Last ms of any events stream. */
  lastStreamMs: number | undefined;
  readonly book: QueueBook;
  readonly gate: PrefixGate;

  readonly #sink: EvidenceSink;
  readonly #jobs: JobSink;
  readonly #siblings = new SiblingJobs();
  /** Queues of Bull that were told. */
  readonly #bulls = new Set<string>();

  constructor(sink: EvidenceSink, knownPrefix: string | undefined) {
    this.#sink = sink;
    this.book = new QueueBook(knownPrefix);
    this.gate = new PrefixGate(knownPrefix);
    this.#jobs = new JobSink(this.book, (fact, isBulls) => {
      this.told++;
      sink.fact(fact);
      if (isBulls) this.#noteBull(fact);
    });
  }

  aux(name: string, value: string): void {
    if (name === 'ctime' && DIGITS.test(value)) this.savedAtSeconds = Number(value);
    if (name === 'redis-ver' || name === 'valkey-ver') this.redisVersion = value.slice(0, 40);
  }

  key(key: RdbKey): RdbValueSink | undefined {
    this.book.enterDatabase(key.db);
    if (key.kind === 'hash') {
      const id = this.#siblings.idOf(key.name);
      if (id !== undefined) return this.#jobs.start(this.#siblings.base, id, key.offset);
    }
    if (!mayBeQueueKey(key)) return undefined;
    const found = parseQueueKey(key.name.text(), key.kind);
    return found && this.gate.takes(found) ? this.#valueSink(found, key.offset, key.expiresAtMs) : undefined;
  }

  /** Once a queue. */
  #noteBull({ prefix, queue, db, offset }: JobFact): void {
    const id = `${db ?? 0} ${prefix}:${queue}`;
    if (this.#bulls.has(id)) return;
    this.#bulls.add(id);
    const name = { prefix, queue, ...(db === undefined ? {} : { db }) };
    this.#sink.fact({ type: 'meta', ...name, field: 'library', value: 'bull', offset });
  }

  /** To be called once after the last key. */
  finish(): void {
    this.book.settle();
  }

  #valueSink(key: QueueKey, offset: number, expiresAtMs: number | undefined): RdbValueSink {
    switch (key.what) {
      case 'set':
        return this.#members(key.base, key.set, offset);
      case 'events':
        return this.#stream(key.base, offset);
      case 'meta':
        return this.#meta(key.base, offset);
      case 'scheduler':
        return this.#scheduler(key.base, key.id, offset);
      case 'value':
        return this.#value(key.base, key.name, offset);
      case 'lock':
        return this.#lock(key.jobKey, offset, expiresAtMs);
      case 'job': {
        const colon = key.jobKey.lastIndexOf(':');
        const base = key.jobKey.slice(0, colon);
        this.#siblings.follow(base);
        return this.#jobs.start(base, key.jobKey.slice(colon + 1), offset);
      }
    }
  }

  #members(base: string, set: QueueSet, offset: number): RdbValueSink {
    const { prefix, queue, db } = this.book.note(base, offset, set);
    this.told++;
    const tell = (member: RdbString, score?: number) => {
      const job = member.text();
      // Markers of versions up to 4 (`0:0`, `0:<time>`) are no jobs.
      if (job.startsWith('0:')) return;
      // Written out: a spread for each of a million members would take as long as all the rest.
      const fact: MemberFact =
        score === undefined
          ? { type: 'member', prefix, queue, set, job, offset }
          : { type: 'member', prefix, queue, set, job, score, offset };
      this.#sink.fact(db === undefined ? fact : { ...fact, db });
    };
    return { listItem: (item) => tell(item), setMember: (member) => tell(member), zsetMember: tell };
  }

  #stream(base: string, offset: number): RdbValueSink {
    const stream = new StreamSink(
      this.book.nameOf(base),
      offset,
      (event) => this.#sink.event(event),
      (fact) => {
        const tell = () => {
          this.told++;
          this.entries += stream.entries;
          this.customEvents.add(stream.custom);
          this.lastStreamMs = Math.max(this.lastStreamMs ?? 0, stream.lastMs);
          this.#sink.fact(fact);
        };
        // A stream called events may be anyone's, unless BullMQ's own events are in it.
        if (stream.isOurs) {
          this.book.note(base, offset, 'events');
          tell();
        } else {
          this.book.whenKnown({ of: { base }, orphan: 'told-under-prefix', tell });
        }
      },
    );
    return stream;
  }

  #meta(base: string, offset: number): RdbValueSink {
    const found: [string, string][] = [];
    let field = '';
    return {
      hashField: (name) => {
        field = META_FIELDS[META_NAMES.indexOf(name)] ?? '';
        return field !== '';
      },
      hashValue: (value) => {
        found.push([field, value.textUpTo(MAX_VALUE_BYTES)]);
      },
      end: () => {
        if (found.length === 0) return;
        this.told++;
        const name = this.book.note(base, offset, 'meta');
        for (const [field, value] of found) {
          this.#sink.fact({ type: 'meta', ...name, field, value: oneLine(value), offset });
        }
      },
    };
  }

  #scheduler(base: string, id: string, offset: number): RdbValueSink {
    const found = new Map<SchedulerField, string>();
    let field: SchedulerField | undefined;
    return {
      hashField: (name) => {
        field = SCHEDULER_FIELDS[SCHEDULER_NAMES.indexOf(name)];
        return field !== undefined;
      },
      hashValue: (value) => {
        if (field !== undefined && value.byteLength <= MAX_PAYLOAD_BYTES) found.set(field, value.text());
      },
      end: () => {
        const value = schedulerTemplate(id, (name) => found.get(name));
        if (value === undefined) return;
        this.book.whenKnown({
          of: { base },
          orphan: 'told-under-prefix',
          tell: (name) => {
            this.told++;
            this.#sink.fact({ type: 'meta', ...name, field: 'scheduler', value, offset });
          },
        });
      },
    };
  }

  #value(base: string, field: string, offset: number): RdbValueSink {
    return {
      string: (string) => {
        const value = string.textUpTo(MAX_VALUE_BYTES);
        if (!DIGITS.test(value)) return;
        this.book.whenKnown({
          of: { base },
          orphan: 'told-under-prefix',
          tell: (name) => {
            this.told++;
            this.#sink.fact({ type: 'meta', ...name, field, value, offset });
          },
        });
      },
    };
  }

  #lock(jobKey: string, offset: number, expiresAtMs: number | undefined): RdbValueSink {
    return {
      string: (value) => {
        const token = oneLine(value.textUpTo(MAX_VALUE_BYTES));
        this.book.whenKnown({
          of: { jobKey },
          orphan: 'told-under-prefix',
          tell: (name, job) => {
            this.told++;
            const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
            this.#sink.fact({ type: 'lock', ...name, job, token, offset, ...expiry });
          },
        });
      },
    };
  }
}

/**
 * Recognises the jobs of one queue by the bytes of their keys: the start of a key known to be a job's, then a number. Such
 * is nearly every key of a queue, and decoding each would take longer than reading the job.
 */
class SiblingJobs {
  base = '';
  #start: Uint8Array | undefined;

  /** Goes on with the queue of this job. */
  follow(base: string): void {
    if (base === this.base) return;
    this.base = base;
    this.#start = Buffer.from(`${base}:`);
  }

  /** The id, if the key is of the queue followed. */
  idOf(name: RdbString): string | undefined {
    const start = this.#start;
    if (start === undefined || !name.isPlain || !name.startsWith(start)) return undefined;
    // `007` is an id of its own, unlike 7.
    const id = name.byteAt(start.length) === ZERO ? undefined : name.digitsFrom(start.length);
    return id === undefined ? undefined : String(id);
  }
}

/** Reads job hashes, one after another; there are so many that it is used again and again. */
class JobSink implements RdbValueSink {
  readonly #book: QueueBook;
  readonly #tell: (fact: JobFact, isBulls: boolean) => void;
  readonly #hash = new JobHash();
  /** The key up to its last ':', and what follows. */
  #base = '';
  #rest = '';
  #offset = 0;

  constructor(book: QueueBook, tell: (fact: JobFact, isBulls: boolean) => void) {
    this.#book = book;
    this.#tell = tell;
  }

  start(base: string, rest: string, offset: number): this {
    this.#base = base;
    this.#rest = rest;
    this.#offset = offset;
    this.#hash.clear();
    return this;
  }

  hashField(name: RdbString): boolean {
    return this.#hash.field(name);
  }

  hashValue(value: RdbString): void {
    this.#hash.value(value);
  }

  end(): void {
    const looks = this.#hash.looksLike;
    if (looks === undefined) return;
    const offset = this.#offset;
    const { isBulls } = this.#hash;
    // Nearly every job of a large queue is one of a queue that is known.
    if (this.#book.has(this.#base)) {
      this.#tell(this.#hash.fact(this.#book.note(this.#base, offset), this.#rest, offset), isBulls);
      return;
    }
    const jobKey = `${this.#base}:${this.#rest}`;
    const cut = this.#book.cut(jobKey);
    if (cut && (looks === 'job' || this.#book.has(cut.base))) {
      this.#tell(this.#hash.fact(this.#book.note(cut.base, offset), cut.job, offset), isBulls);
      return;
    }
    const fact = this.#hash.fact({ prefix: '', queue: '' }, '', offset);
    this.#book.whenKnown({
      of: { jobKey },
      orphan: looks === 'job' ? 'told' : 'told-under-prefix',
      tell: (name, job) => this.#tell({ ...fact, ...name, job }, isBulls),
    });
  }
}

/** Whether it is worth decoding a key's name: two colons at least, and an end that some name of a queue's keys has. */
function mayBeQueueKey({ name, kind }: RdbKey): boolean {
  if (!name.isPlain) return true;
  const letters = LAST_LETTERS[kind];
  if (letters !== undefined && !letters.includes(String.fromCharCode(name.byteAt(-1)))) return false;
  let colons = 0;
  for (let i = 0; i < name.byteLength && colons < 2; i++) if (name.byteAt(i) === COLON) colons++;
  return colons === 2;
}
