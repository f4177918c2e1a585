/**
 * What the answers say about each key. A transcript asks the same thing twice and one thing in parts (HGET by HGET, GET and
 * then PTTL), while a snapshot says everything once: the last answer counts, parts are put together.
 */
import type { RdbKind, RdbStreamState } from '../../rdb/index.js';
import type { Question } from './question.js';

/** When a key expires: at a time, after a time, never; `gone`: there is no such key. */
export type Expiry = { readonly atMs: number } | { readonly leftMs: number } | 'never' | 'gone';

export interface HeldKey {
  readonly db: number;
  /** Latin-1, one character a byte. */
  readonly key: string;
  readonly kind: RdbKind;
  readonly line: number;
  readonly offset: number;
  /** Of a hash; nil fields are left out. */
  readonly fields: Map<string, Buffer>;
  /** Of a list, set or sorted set, by member. */
  readonly members: Map<string, number | undefined>;
  /** All of the hash was asked for, not single fields. */
  isWhole: boolean;
  /** Of a string; null: it was asked for, and there is none. */
  value: Buffer | null | undefined;
  expiry: Expiry | undefined;
  state: RdbStreamState | undefined;
}

/** More than this is told before the end; what is asked again afterwards is told again. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const BYTES_A_MEMBER = 100;

export class AnswerBook {
  #held = new Map<string, HeldKey>();
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes > MAX_HELD_BYTES;
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
      else held.fields.set(name, value);
      this.#bytes += BYTES_A_MEMBER + (value?.length ?? 0);
    }
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
    for (const [member, score] of members) {
      held.members.set(member.toString('latin1'), score);
      this.#bytes += BYTES_A_MEMBER + member.length;
    }
  }

  absentMember(question: Question, key: string, kind: RdbKind, member: string): void {
    this.#of(question, key, kind, false).members.delete(member);
  }

  value(question: Question, key: string, value: Buffer | null): void {
    const held = this.#of(question, key, 'string', false);
    held.value = value;
    if (value === null) held.expiry = undefined;
  }

  expiry(question: Question, key: string, expiry: Expiry): void {
    const held = this.#of(question, key, 'string', false);
    held.expiry = expiry;
    if (expiry === 'gone') held.value = null;
  }

  state(question: Question, key: string, state: RdbStreamState): void {
    this.#of(question, key, 'stream', false).state = state;
  }

  /** @param anew what is held of the key is replaced. */
  #of({ db, line, offset }: Question, key: string, kind: RdbKind, anew: boolean): HeldKey {
    const id = `${db} ${kind} ${key}`;
    let held = this.#held.get(id);
    if (held === undefined || anew) {
      held = {
        ...{ db, key, kind, line, offset, isWhole: anew, fields: new Map(), members: new Map() },
        ...{ value: undefined, expiry: undefined, state: undefined },
      };
      this.#held.set(id, held);
      this.#bytes += BYTES_A_MEMBER + key.length;
    }
    return held;
  }
}
