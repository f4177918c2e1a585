/**
 * What a snapshot holds of the job that was asked for, as writes: the state that commands behind it go on from.
 *
 * The facts that are read from it anyway say where the job stands and who holds its lock. Its hash is looked at here once
 * more, because a fact has only the fields that judgement needs, under one name for all versions of BullMQ.
 */
import type { JobReading } from '../../model/asked-job.js';
import type { EvidenceSink } from '../../model/evidence.js';
import type { Fact } from '../../model/fact.js';
import type { Write } from '../../model/job-write.js';
import type { RdbHandler, RdbKey, RdbString, RdbValueSink } from '../rdb/index.js';
import { AskedKeys } from './asked-keys.js';
import { fieldName, toldValue } from './hash-fields.js';

const MAX_VALUE_BYTES = 4096;
const MAX_KEY_BYTES = 4096;

type Fields = Record<string, string | null>;

export class AskedSnapshot {
  /** Takes the facts of the snapshot in the place of the real sink, and hands them on. */
  readonly sink: EvidenceSink;
  readonly #keys: AskedKeys;
  readonly #events: EvidenceSink;
  /** Fields of hashes that may be the job's, by the place of their keys. */
  readonly #hashes = new Map<number, Fields>();

  constructor(asked: readonly JobReading[], sink: EvidenceSink) {
    this.#keys = new AskedKeys(asked);
    this.#events = sink;
    this.sink = {
      event: (event) => sink.event(event),
      presence: (span) => sink.presence(span),
      settle: () => sink.settle(),
      fact: (fact) => {
        sink.fact(fact);
        this.#fact(fact);
      },
    };
  }

  /** The same handler; the hash of the job is seen on the way. */
  around(inner: RdbHandler): RdbHandler {
    return {
      aux: (name, value) => inner.aux?.(name, value),
      functionLibrary: (code) => inner.functionLibrary?.(code),
      key: (key) => {
        const value = inner.key?.(key);
        return value && this.#mayBeHash(key) ? this.#tee(value, key.offset) : value;
      },
    };
  }

  /** To be called at the end. */
  finish(isWhole: boolean): void {
    for (const job of this.#keys.ids) this.#tell({ op: 'asked', from: isWhole ? 'all' : 'rest' }, { job, offset: -1 });
  }

  #mayBeHash({ kind, name }: RdbKey): boolean {
    return kind === 'hash' && name.byteLength <= MAX_KEY_BYTES && this.#keys.target(name.text())?.key === 'hash';
  }

  #tee(value: RdbValueSink, offset: number): RdbValueSink {
    const fields: Fields = {};
    this.#hashes.set(offset, fields);
    let isWanted = false;
    let field = '';
    return {
      hashField: (name: RdbString) => {
        field = name.text();
        fields[fieldName(field)] = null;
        isWanted = value.hashField?.(name) ?? false;
        return true;
      },
      hashValue: (string, expiresAtMs) => {
        fields[fieldName(field)] = toldValue(field, string.textUpTo(MAX_VALUE_BYTES));
        if (isWanted) value.hashValue?.(string, expiresAtMs);
      },
      end: () => value.end?.(),
    };
  }

  #fact(fact: Fact): void {
    if (fact.type !== 'member' && fact.type !== 'lock' && fact.type !== 'job') return;
    if (!this.#keys.idsIn(`${fact.prefix}:${fact.queue}`).includes(fact.job)) return;
    if (fact.type === 'member')
      this.#tell({ op: 'into', set: fact.set, ...(fact.score === undefined ? {} : { score: fact.score }) }, fact);
    else if (fact.type === 'lock') {
      const { token, expiresAtMs } = fact;
      if (token === undefined) return;
      this.#tell({ op: 'lock', token, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) }, fact);
    } else {
      const fields = this.#hashes.get(fact.offset);
      if (fields) this.#tell({ op: 'set', fields }, fact);
    }
  }

  #tell(
    write: Write,
    of: {
      readonly prefix?: string;
      readonly queue?: string;
      readonly db?: number;
      readonly job: string;
      readonly offset: number;
    },
  ): void {
    const { prefix, queue, db, job, offset } = of;
    this.#events.event({
      kind: 'job-write',
      clock: 'redis',
      precision: 'none',
      line: 0,
      offset,
      job,
      ...(queue === undefined ? {} : { queue }),
      ...(prefix === undefined || prefix === 'bull' ? {} : { prefix }),
      ...(db === undefined ? {} : { db }),
      data: { write: { ...write, group: 0, ...(db ? { db } : {}) } },
    });
  }
}
