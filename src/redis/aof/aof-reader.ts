/** The source reader for append-only files: one file, or each file of an `appendonlydir` by itself. */
import type {
  Blocks,
  Damage,
  Detection,
  EvidenceSink,
  ReadOptions,
  ReadReport,
  SourceReader,
} from '../../model/evidence.js';
import type { Write } from '../../model/job-write.js';
import { CustomEvents } from '../custom-events.js';
import type { CommandArgs } from '../effects/command-args.js';
import type { Effect } from '../effects/effect.js';
import { Judge } from '../effects/judge.js';
import { QueueNames } from '../effects/queue-names.js';
import { JobWrites } from '../job-writes/job-writes.js';
import { RdbInput, rdbMagic } from '../rdb/index.js';
import { ByteWindow } from '../rdb/window.js';
import { AofClock } from './aof-clock.js';
import { type Preamble, readPreamble, startsWithSnapshot } from './preamble.js';
import { type RespHandler, RespReader } from './resp-reader.js';
import { Transactions } from './transactions.js';

const MAX_DAMAGE = 50;
const START = /^(?:\*[1-9]\d{0,9}\r\n\$\d{1,10}\r\n|#TS:\d{1,15}\r\n)/;
/** An AUX field with the value 1, as an RDB stores it: since Redis 7 a base file, which is mostly an RDB and nothing else. */
const BASE = /aof-base\xc0\x01/;
/** The same in Redis 4 to 6: commands follow. */
const PREAMBLE = /aof-preamble\xc0\x01/;
const TIMESTAMP = /^TS:(\d{1,15})$/;

function detect(head: Uint8Array, fileName: string): Detection | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1024)).toString('latin1');
  if (START.test(start)) {
    return { format: 'aof', score: 1, reason: `starts with a Redis command or its time (${start.slice(0, 3)}…)` };
  }
  const magic = rdbMagic(head);
  if (magic === undefined) return undefined;
  return PREAMBLE.test(start) || (BASE.test(start) && /\.aof$/i.test(fileName))
    ? { format: 'aof', score: 1, reason: `starts with ${magic.text} as the preamble of an append-only file` }
    : undefined;
}

/** Reads one append-only file into the sink. */
class AofReading implements RespHandler {
  readonly #sink: EvidenceSink;
  readonly #prefix: string | undefined;
  readonly #askedJob: ReadOptions['askedJob'];
  readonly #names: QueueNames;
  readonly #custom = new CustomEvents();
  readonly #damage: Damage[] = [];
  readonly #clock: AofClock;
  readonly #judge: Judge;
  readonly #transactions: Transactions;
  #unreadBytes = 0;
  #records = 0;
  #hasTimes = false;
  readonly #writes: JobWrites | undefined;
  #isRewritten = false;
  #isHistory = false;

  constructor(sink: EvidenceSink, { prefix, askedJob }: ReadOptions) {
    this.#sink = sink;
    this.#prefix = prefix;
    this.#askedJob = askedJob;
    this.#names = new QueueNames(prefix);
    this.#writes = askedJob && new JobWrites(askedJob, this.#names);
    this.#clock = new AofClock((event) => {
      if (event.kind !== 'job-write') this.#records++;
      sink.event(event);
    });
    this.#judge = new Judge(
      this.#names,
      (record) => this.#clock.take(record),
      (name, seq) => this.#custom.count(name, seq),
    );
    this.#transactions = new Transactions(
      this.#names,
      (effects, isOneCommand) => this.#group(effects, isOneCommand),
      (db) => this.#judge.enterDatabase(db),
      this.#writes,
    );
  }

  command(args: CommandArgs, offset: number): void {
    if (this.#writes && !this.#isHistory) this.#lookForHead(args, offset);
    this.#transactions.command(args, offset);
  }

  /**
   * A log that Redis rewrote without a snapshot (`aof-use-rdb-preamble no`) begins with commands that make its state; streams
   * are made with XSETID at their end, and nothing of it is a transaction. Scripts and their transactions are the history.
   */
  #lookForHead(args: CommandArgs, offset: number): void {
    if (args.isVerb('xsetid')) this.#isRewritten = true;
    if (args.isVerb('multi')) this.#beginHistory(offset);
  }

  #beginHistory(offset: number): void {
    this.#isHistory = true;
    if (this.#isRewritten) this.#remark({ op: 'rewritten' }, this.#transactions.commands + 1, offset);
  }

  #group(effects: readonly Effect[], isOneCommand: boolean): void {
    this.#judge.judge(effects, { isOneCommand });
    if (this.#writes?.hasOpen !== true) return;
    if (isOneCommand && !this.#isHistory && this.#writes.makesJob) this.#isRewritten = true;
    const { expiresAtMs, ...clue } = this.#judge.clueOf(effects);
    this.#writes.settle(effects, 'log', (event, place) => {
      if (expiresAtMs !== undefined) event.data = { ...event.data, expiresAtMs };
      this.#clock.take({ ...clue, place, event });
    });
  }

  annotation(text: string): void {
    const seconds = TIMESTAMP.exec(text)?.[1];
    if (seconds === undefined) return;
    this.#hasTimes = true;
    this.#clock.annotation(Number(seconds));
  }

  damage(what: string, offset: number, skipped: number): void {
    this.#unreadBytes += skipped;
    const open = this.#transactions.openSince !== undefined;
    const dropped = this.#transactions.damage();
    const lost = open ? `, and the ${dropped} commands of the transaction around it were dropped` : '';
    this.#note({ what: `not a command: ${what}; ${skipped} bytes were skipped${lost}`, offset });
    this.#remark({ op: 'gap', what: 'bytes that are no command' }, this.#transactions.commands, offset);
  }

  /** Of the job that was asked for, about the log itself. */
  #remark(write: Write, line: number, offset: number): void {
    this.#writes?.remark(write, { line, offset }, (event, place) =>
      this.#clock.take({ place, event, nearMs: undefined, lives: [] }),
    );
  }

  async read(blocks: Blocks): Promise<ReadReport> {
    const [hasPreamble, all] = await startsWithSnapshot(blocks);
    // A snapshot's checksum is counted over every byte that passes; commands have none.
    const snapshot = hasPreamble ? new RdbInput(all) : undefined;
    const input = snapshot ?? new ByteWindow(all);
    const preamble = snapshot && (await readPreamble(snapshot, this.#sink, this.#prefix, this.#askedJob));
    if (preamble?.startMs !== undefined) this.#clock.startAt(preamble.startMs);
    for (const damage of preamble?.damage ?? []) this.#note(damage);
    const reader = new RespReader(input, this);
    const steps = reader.read();
    while (!steps.next().done) {
      await this.#sink.settle();
      if (await input.fill()) continue;
      if (reader.sourceEnded) break;
      reader.sourceEnded = true;
    }
    steps.return();
    this.#end(reader, input);
    if (!this.#isHistory) this.#beginHistory(Number.MAX_SAFE_INTEGER);
    const isWhole = preamble ? preamble.isWhole : this.#transactions.startsWhole;
    this.#remark({ op: 'asked', from: isWhole ? 'all' : 'rest' }, 0, -1);
    this.#clock.end();
    await input.drain();
    for (const fact of this.#judge.lifetimes.facts()) this.#sink.fact(fact);
    for (const fact of this.#judge.clocks.facts()) this.#sink.fact(fact);
    return this.#report(preamble);
  }

  #end(reader: RespReader, input: ByteWindow): void {
    const { commands, openSince } = this.#transactions;
    if (reader.isCut) {
      const what = `cut off within the command that begins here; ${commands} commands before it were read`;
      this.#note({ what, offset: reader.commandOffset });
    }
    const dropped = this.#transactions.drop();
    if (openSince !== undefined) {
      const what = `ends within the transaction that begins here; its ${dropped} commands were dropped, as Redis does`;
      this.#note({ what, offset: openSince });
    }
    if (input.sourceError !== undefined) {
      this.#note({ what: `the source broke off: ${input.sourceError}`, offset: input.offset });
    }
  }

  #note(damage: Damage): void {
    if (this.#damage.length < MAX_DAMAGE) this.#damage.push(damage);
    else if (this.#damage.length === MAX_DAMAGE) this.#damage.push({ what: 'more damage follows and is not listed' });
  }

  #report(preamble: Preamble | undefined): ReadReport {
    const { commands, transactions, parted } = this.#transactions;
    if (parted > 0) this.#note({ what: `${parted} times a transaction was so long that it was read in parts` });
    const records = (preamble?.records ?? 0) + this.#records + this.#custom.total;
    const { windowMs } = this.#clock;
    const own = preamble === undefined ? 'Redis commands' : `${preamble.text}, then Redis commands`;
    return {
      kind: 'redis',
      format: 'aof',
      reason:
        `${own}: ${commands}, in ${transactions} transactions and alone; ${this.#records} records of queues; ` +
        (this.#hasTimes ? 'with times by the second' : 'without times of their own'),
      records,
      understood: records - this.#custom.total - (preamble?.custom ?? 0),
      damage: this.#damage,
      limits: [...(preamble?.limits ?? []), ...this.#names.gate.limits()],
      assumptions: [],
      ...(windowMs === undefined ? {} : { windowMs }),
      unknownShapes: this.#custom.shapes(),
    };
  }
}

export const aofReader: SourceReader = {
  name: 'aof',
  detect,
  read: (blocks, sink, options) => new AofReading(sink, options).read(blocks),
};
