/**
 * What the answers say about each key. A transcript asks the same thing twice and one thing in parts (HGET by HGET, GET and
 * then PTTL), while a snapshot says everything once: the last answer counts, parts are put together.
 */
import type { RdbKind, RdbStreamState } from '../../rdb/index.js';
import type { Mark } from './moments.js';
import type { Question } from './question.js';

/** When a key expires: at a time, after a time (known to so many ms) from the answer on, never; `gone`: there is no such key. */
export type Expiry =
  | { readonly atMs: number }
  | { readonly leftMs: number; readonly aboutMs: number; readonly asked: Mark }
  | 'never'
  | 'gone';

/** A place in the transcript, and in the order of answers; those of one transaction have one `moment`. */
export interface AnswerPlace {
  readonly line: number;
  readonly offset: number;
  readonly moment: number;
}

export interface HeldMember {
  readonly score: number | undefined;
  readonly seen: AnswerPlace;
}

export interface HeldKey {
  readonly db: number;
  /** Latin-1, one character a byte. */
  readonly key: string;
  readonly kind: RdbKind;
  /** Where it was asked for first, or last as a whole. */
  readonly place: AnswerPlace;
  /** Of a hash; nil fields are left out. */
  readonly fields: Map<string, Buffer>;
  /** Of a list, set or sorted set. */
  readonly members: Map<string, HeldMember>;
  /** Ids that were asked for and did not stand there. */
  readonly missing: Map<string, AnswerPlace>;
  /** All of the hash was asked for, not single fields. */
  isWhole: boolean;
  /** There is no such key, or a set of none. */
  absent: AnswerPlace | undefined;
  /** How many members or entries, where they were only counted. */
  count: { readonly n: number; readonly place: AnswerPlace } | undefined;
  /** Of a string. */
  value: Buffer | undefined;
  /** Of a string, if it was asked for; EXISTS and TYPE tell no more than `exists`. */
  expiry: Expiry | 'exists' | undefined;
  state: RdbStreamState | undefined;
}

/** More than this is told before the end; what is asked again afterwards is told again. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const BYTES_A_MEMBER = 150;

export class AnswerBook {
  #held = new Map<string, HeldKey>();
  #bytes = 0;
  #moment = 0;

  get isFull(): boolean {
    return this.#bytes > MAX_HELD_BYTES;
  }

  /** What follows was answered later than what stands before. */
  nextMoment(): void {
    this.#moment++;
  }

  /** Gives away what is held, database by database, else in the order in which it was first asked for. */
  take(): readonly HeldKey[] {
    const held = [...this.#held.values()].sort((a, b) => a.db - b.db);
    this.#held = new Map();
    this.#bytes = 0;
    return held;
  }

  hash(
    question: Question,
    key: string,
    fields: readonly (readonly [string, Buffer | undefined])[],
    isWhole: boolean,
  ): void {
    const held = this.#of(question, key, 'hash', isWhole);
    for (const [name, value] of fields) {
      if (value === undefined) held.fields.delete(name);
      else {
        held.fields.set(name, value);
        held.absent = undefined;
      }
      this.#bytes += BYTES_A_MEMBER + (value?.length ?? 0);
    }
    if (isWhole && fields.length === 0) held.absent = this.#place(question);
  }

  /** @param isWhole these are all, not some of them. */
  members(
    question: Question,
    key: string,
    kind: RdbKind,
    members: readonly (readonly [Buffer, number | undefined])[],
    isWhole: boolean,
  ): void {
    const held = this.#of(question, key, kind, isWhole);
    const seen = this.#place(question);
    for (const [bytes, score] of members) {
      const member = bytes.toString('latin1');
      held.members.set(member, { score, seen });
      held.missing.delete(member);
      this.#bytes += BYTES_A_MEMBER + bytes.length;
    }
    if (isWhole && members.length === 0) held.count = { n: 0, place: seen };
  }

  absentMember(question: Question, key: string, kind: RdbKind, member: string): void {
    const held = this.#of(question, key, kind, false);
    held.members.delete(member);
    held.missing.set(member, this.#place(question));
    this.#bytes += BYTES_A_MEMBER + member.length;
  }

  count(question: Question, key: string, kind: RdbKind, n: number): void {
    this.#of(question, key, kind, false).count = { n, place: this.#place(question) };
  }

  value(question: Question, key: string, value: Buffer | null): void {
    if (value === null) this.absent(question, key, 'string');
    else {
      const held = this.#of(question, key, 'string', false);
      held.value = value;
      held.absent = undefined;
    }
  }

  expiry(question: Question, key: string, expiry: Expiry | 'exists'): void {
    if (expiry === 'gone') {
      this.absent(question, key, 'string');
      return;
    }
    const held = this.#of(question, key, 'string', false);
    if (expiry !== 'exists' || held.expiry === undefined) held.expiry = expiry;
    held.absent = undefined;
  }

  /** There is no such key: of a set, that it holds nothing. */
  absent(question: Question, key: string, kind: RdbKind): void {
    const held = this.#of(question, key, kind, true);
    held.absent = this.#place(question);
    held.isWhole = false;
    if (kind === 'list' || kind === 'set' || kind === 'zset') held.count = { n: 0, place: held.absent };
  }

  state(question: Question, key: string, state: RdbStreamState): void {
    this.#of(question, key, 'stream', false).state = state;
  }

  #place({ line, offset }: Question): AnswerPlace {
    return { line, offset, moment: this.#moment };
  }

  /** @param anew what is held of the key is replaced. */
  #of(question: Question, key: string, kind: RdbKind, anew: boolean): HeldKey {
    const { db } = question;
    const id = `${db} ${kind} ${key}`;
    let held = this.#held.get(id);
    if (held === undefined || anew) {
      held = {
        ...{ db, key, kind, place: this.#place(question), isWhole: anew },
        ...{ fields: new Map(), members: new Map(), missing: new Map() },
        ...{ absent: undefined, count: undefined, value: undefined, expiry: undefined, state: undefined },
      };
      this.#held.set(id, held);
      this.#bytes += BYTES_A_MEMBER + key.length;
    }
    return held;
  }
}
