/**
 * The commands of an append-only file, grouped as they were executed: what stands between MULTI and EXEC is one script or
 * transaction, any other command is a group of its own. An unfinished group never happened: Redis drops it, too.
 */
import type { CommandArgs } from '../effects/command-args.js';
import type { Effect } from '../effects/effect.js';
import { EffectReader } from '../effects/effect-reader.js';
import type { QueueNames } from '../effects/queue-names.js';
import type { JobWrites } from '../job-writes/job-writes.js';
import { byteAt } from '../rdb/byte-at.js';

/** A transaction with more effects is told in parts. */
const MAX_EFFECTS = 100_000;

const isLower = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

export class Transactions {
  commands = 0;
  transactions = 0;
  /** How often a transaction was so long that it was told in parts. */
  parted = 0;
  /** Where the transaction that is still open began. */
  openSince: number | undefined;
  /** Commands in it. */
  #openCommands = 0;
  /** After damage: what comes may stand alone, or be the rest of a transaction. */
  #isUnsure = false;
  /** The first command of all selected a database, as Redis writes it at the start of a log. */
  startsWhole = false;
  readonly #writes: JobWrites | undefined;
  readonly #reader: EffectReader;
  readonly #onGroup: (effects: readonly Effect[], isOneCommand: boolean) => void;
  readonly #onDatabase: (db: number) => void;
  #effects: Effect[] = [];

  /** @param writes takes the writes to the job that was asked for; they belong to the group told next. */
  constructor(
    names: QueueNames,
    onGroup: (effects: readonly Effect[], isOneCommand: boolean) => void,
    onDatabase: (db: number) => void,
    writes?: JobWrites,
  ) {
    this.#writes = writes;
    this.#reader = new EffectReader(names, (effect) => this.#effects.push(effect));
    this.#onGroup = onGroup;
    this.#onDatabase = onDatabase;
  }

  command(args: CommandArgs, offset: number): void {
    this.commands++;
    if (args.count === 1 && args.isVerb('multi')) this.#open(offset);
    else if (args.count === 1 && args.isVerb('exec')) this.#close();
    else if (args.isVerb('select')) {
      if (this.commands === 1) this.startsWhole = true;
      this.#select(args.text(1));
    } else this.#write(args, offset);
  }

  /** Some commands cannot be read: drops the transaction that is open. Returns how many commands of it were read. */
  damage(): number {
    const dropped = this.drop();
    this.#isUnsure = true;
    return dropped;
  }

  /** Ends the log: tells what stood alone, and drops the transaction that is open. */
  drop(): number {
    const dropped = this.#openCommands;
    if (this.openSince === undefined) this.#tellEach();
    this.#effects = [];
    this.#writes?.drop();
    this.openSince = undefined;
    this.#openCommands = 0;
    return dropped;
  }

  #select(index: string): void {
    this.#tellEach();
    const db = Number(index);
    if (Number.isSafeInteger(db)) this.#onDatabase(db);
  }

  #write(args: CommandArgs, offset: number): void {
    if (this.openSince !== undefined) this.#openCommands++;
    // Scripts and the server itself write in upper case; clients mostly in lower case.
    const byScript = !isLower(byteAt(args.bytes, args.from(0)));
    const place = { line: this.commands, offset };
    this.#reader.read(args, place, byScript);
    this.#writes?.command(args, place);
    if (this.#isEmpty) return;
    if (this.openSince === undefined && !this.#isUnsure) this.#tell(true);
    else if (this.#effects.length >= MAX_EFFECTS) {
      this.parted++;
      this.#tell(false);
    }
  }

  get #isEmpty(): boolean {
    return this.#effects.length === 0 && this.#writes?.hasOpen !== true;
  }

  #open(offset: number): void {
    this.#tellEach();
    this.#isUnsure = false;
    this.openSince = offset;
    this.#openCommands = 0;
  }

  #close(): void {
    if (this.openSince !== undefined) {
      this.transactions++;
      this.openSince = undefined;
      this.#openCommands = 0;
    } else {
      // The rest of a transaction whose start is lost: what a lock was set or deleted for cannot be told.
      this.#effects = this.#effects.filter((effect) => effect.what === 'entry');
    }
    this.#isUnsure = false;
    this.#tell(false);
  }

  /** Tells commands that turned out to stand alone. */
  #tellEach(): void {
    if (this.#isEmpty || this.openSince !== undefined) return;
    const effects = this.#effects;
    this.#effects = [];
    for (const effect of effects) this.#onGroup([effect], true);
    if (this.#writes?.hasOpen) this.#onGroup([], true);
  }

  #tell(isOneCommand: boolean): void {
    if (this.#isEmpty) return;
    const effects = this.#effects;
    this.#effects = [];
    this.#onGroup(effects, isOneCommand);
  }
}
