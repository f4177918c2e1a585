/**
 * The lines of one script in a MONITOR capture, as far as they say something: writes that are effects, and looks at a lock
 * that no write follows, which is all that a refused command leaves behind.
 */
import type { Effect, Place } from '../effects/effect.js';
import { EffectReader } from '../effects/effect-reader.js';
import type { QueueNames } from '../effects/queue-names.js';
import { byteAt } from '../rdb/byte-at.js';
import type { MonitorLine } from './monitor-line.js';

const QUOTE = 0x22;
const LOCK = ':lock';
const SWEEP = ':stalled-check';
const MAX_LOOKS = 10_000;
const MAX_EFFECTS = 100_000;
const PROCESSED_ON = Buffer.from('" "processedOn"');
const FINISHED_ON = Buffer.from('"finishedOn" "');
const STAMP_DIGITS = 13;

/** A script read a job's lock. */
export interface LockLook extends Place {
  readonly jobKey: string;
}

/** The first reads of a script, which say how far a refused finish came. */
export type FirstLook = 'EXISTS' | 'SCARD' | 'ZCARD' | 'other';

export class ScriptLines {
  /** Lines so far. */
  count = 0;
  effects: Effect[] = [];
  /** Locks that were read, and neither set nor deleted since. */
  readonly looks = new Map<string, LockLook>();
  /** The commands of the first lines. */
  readonly first: FirstLook[] = [];
  /** Key that the first line asked the existence of. */
  firstKey = '';
  /** Index of the effect of the last line, if that took a job out of `active`; -1 otherwise. */
  lastRemoval = -1;
  readonly #names: QueueNames;
  readonly #reader: EffectReader;
  /** The script has put a job somewhere: of Bull's, one that ends with a removal from `active` did not search in vain. */
  #hasPut = false;

  constructor(names: QueueNames) {
    this.#names = names;
    this.#reader = new EffectReader(names, (effect) => this.#add(effect));
  }

  clear(): void {
    this.count = 0;
    if (this.effects.length > 0) this.effects = [];
    if (this.looks.size > 0) this.looks.clear();
    this.first.length = 0;
    this.firstKey = '';
    this.lastRemoval = -1;
    this.#hasPut = false;
  }

  /** Takes one line. `number` and `offset` say where it stands. */
  take(line: MonitorLine, number: number, offset: number): void {
    this.count++;
    const { bytes, verbAt } = line;
    const letter = byteAt(bytes, verbAt);
    const second = byteAt(bytes, verbAt + 1);
    if (this.count <= 4) this.#firstLine(line, letter, second);
    // Only a look at the rate limit may follow where nothing was removed.
    if (letter !== 0x50 || second === 0x55) this.lastRemoval = -1;
    switch (letter) {
      case 0x50: // PUBLISH, of Bull
        if (second === 0x55) this.#effect(line, number, offset);
        break;
      case 0x58: // XADD
        if (second === 0x41) this.#effect(line, number, offset);
        break;
      case 0x53: // SET
      case 0x44: // DEL
        if (byteAt(bytes, verbAt + 3) === QUOTE) this.#effect(line, number, offset);
        break;
      case 0x46: // FLUSHALL
        this.#effect(line, number, offset);
        break;
      case 0x47: // GET
        if (byteAt(bytes, verbAt + 3) === QUOTE) this.#look(line, number, offset);
        break;
      case 0x48: // HSET, HMSET
        if (
          (second === 0x53 || byteAt(bytes, verbAt + 2) === 0x53) &&
          (isProcessedOn(bytes, verbAt) || line.endsIn(FINISHED_ON, STAMP_DIGITS))
        ) {
          this.#effect(line, number, offset);
        }
        break;
      case 0x4c: {
        // LREM, LPUSH, LINSERT
        if (second === 0x50 || second === 0x49) this.#put(line, number, offset);
        if (second !== 0x52) break;
        const before = this.effects.length;
        this.#effect(line, number, offset);
        if (this.effects.length > before && !this.#hasPut) this.lastRemoval = before;
        break;
      }
      case 0x52: // RPUSH
        if (second === 0x50) this.#put(line, number, offset);
        break;
      case 0x5a: // ZADD, ZREM
        if (second === 0x41 || byteAt(bytes, verbAt + 3) === 0x4d) this.#put(line, number, offset);
        break;
      default:
    }
  }

  #firstLine(line: MonitorLine, letter: number, second: number): void {
    const isExists = letter === 0x45 && second === 0x58;
    this.first.push(
      isExists ? 'EXISTS' : second !== 0x43 ? 'other' : letter === 0x53 ? 'SCARD' : letter === 0x5a ? 'ZCARD' : 'other',
    );
    if (this.count === 1 && isExists && line.parse(2)) this.firstKey = line.text(1);
  }

  #look(line: MonitorLine, number: number, offset: number): void {
    if (!line.parse(2) || !line.endsWith(1, LOCK) || this.looks.size >= MAX_LOOKS) return;
    const jobKey = line.text(1).slice(0, -LOCK.length);
    this.looks.set(jobKey, { jobKey, line: number, offset, t: line.t });
  }

  #effect(line: MonitorLine, number: number, offset: number): void {
    if (!line.parse() || this.effects.length >= MAX_EFFECTS) return;
    this.#reader.read(line, { line: number, offset, t: line.t }, true);
  }

  /** Only Bull's scripts leave it to these commands to say where a job went. */
  #put(line: MonitorLine, number: number, offset: number): void {
    if (this.#names.hasBull) this.#effect(line, number, offset);
  }

  #add(effect: Effect): void {
    this.effects.push(effect);
    if (effect.what === 'put') this.#hasPut = true;
    if (effect.what === 'lock-set' || effect.what === 'lock-deleted') this.looks.delete(effect.jobKey);
  }

  /** A sweep that found another to have run less than an interval ago. */
  get throttledSweep(): string | undefined {
    return this.count === 1 && this.firstKey.endsWith(SWEEP) ? this.firstKey.slice(0, -SWEEP.length) : undefined;
  }
}

/** Whether the first field that is written is `processedOn`; the arguments of a job's other fields may be long. */
function isProcessedOn(bytes: Buffer, verbAt: number): boolean {
  const verbEnd = bytes.indexOf(QUOTE, verbAt);
  const keyEnd = bytes.indexOf(QUOTE, verbEnd + 3);
  if (verbEnd < 0 || keyEnd < 0) return false;
  return bytes.compare(PROCESSED_ON, 0, PROCESSED_ON.length, keyEnd, keyEnd + PROCESSED_ON.length) === 0;
}
