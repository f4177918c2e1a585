/**
 * Tells every write to the keys of the job that was asked for, command by command of a log, group by group.
 *
 * Scripts take ids out of lists without naming them (RPOPLPUSH, LTRIM, ZREMRANGEBYRANK). Who was meant is read off the rest
 * of the script: the job that it activates, the jobs whose hashes it deletes (BullMQ 1 to 6, Bull 4). Up to BullMQ 4 a worker
 * popped a job with a command of its own and activated it in a script a moment later; in between nothing says which job it
 * has, and the write says just that.
 */
import type { JobReading } from '../../model/asked-job.js';
import type { QueueSet } from '../../model/fact.js';
import type { JobWrite, Write } from '../../model/job-write.js';
import type { CommandArgs } from '../effects/command-args.js';
import type { Effect, OwnEvent, Place } from '../effects/effect.js';
import type { QueueNames } from '../effects/queue-names.js';
import { DEFAULT_PREFIX } from '../keyspace.js';
import { AskedKeys } from './asked-keys.js';
import { type FoundWrite, readWrites, type UnnamedRemoval, type WriteGroup } from './read-writes.js';

/** Who issued the commands of a group, as far as the log shows. `script`: every command of it was seen, also those in vain. */
export type GroupKind = 'script' | 'client' | 'log';

export type TellWrite = (event: OwnEvent, place: Place) => void;

/** A script that cleans up names what it removes from these by deleting each job. */
const CLEANS = /^(?:lset|zremrangeby(?:rank|score|lex)|spop)$/;
const BLOCKS = /^b(?:rpoplpush|lmove)$/;

export class JobWrites {
  readonly #keys: AskedKeys;
  readonly #names: QueueNames;
  #group: WriteGroup = emptyGroup();
  /** Lists that clients wait at: what comes into them is taken at once, and no line says so. */
  readonly #waitedAt = new Set<string>();

  constructor(asked: readonly JobReading[], names: QueueNames) {
    this.#keys = new AskedKeys(asked);
    this.#names = names;
  }

  /** Whether a group is open that says something. */
  get hasOpen(): boolean {
    const { found, unnamed, wide } = this.#group;
    return found.length > 0 || unnamed.length > 0 || wide.length > 0;
  }

  /** The group that is open makes the job, as far as it was read. */
  get makesJob(): boolean {
    return this.#group.found.some(({ write }) => write.op === 'set' && write.created === true);
  }

  /** Takes a command of the group that is open. */
  command(args: CommandArgs, place: Place): void {
    readWrites(args, place, this.#keys, this.#group);
  }

  /** Takes a command whose end is missing. */
  cutCommand(args: CommandArgs, place: Place): void {
    const target = args.has(1) ? this.#keys.target(args.text(1)) : undefined;
    if (target)
      this.#group.found.push({ place, target, write: { op: 'unclear', key: target.key, command: args.text(0) } });
  }

  /** The group never happened. */
  drop(): void {
    this.#group = emptyGroup();
  }

  /** Ends the group and tells what it wrote. `effects`: all of its effects; to be called after they were judged. */
  settle(effects: readonly Effect[], kind: GroupKind, tell: TellWrite): void {
    if (!this.hasOpen) return;
    const group = this.#group;
    this.#group = emptyGroup();
    const activated = activatedBy(effects);
    const writes = [
      ...group.found,
      ...group.unnamed.flatMap((removal) => this.#resolve(removal, group, activated, kind)),
      ...this.#impliedMoves(group, activated),
    ].sort((a, b) => a.place.line - b.place.line);
    const first = Math.min(...[...writes, ...group.wide].map(({ place }) => place.line));
    for (const { place, write } of group.wide)
      for (const id of this.#keys.ids)
        this.#tellOne(place, id, undefined, write.op === 'flush' ? this.#flush(write) : write, first, tell);
    for (const found of writes) this.#tellFound(found, first, tell);
  }

  /** Tells something about the source as a whole, or that commands are missing. */
  remark(write: Write, place: Place, tell: TellWrite): void {
    for (const id of this.#keys.ids) this.#tellOne(place, id, undefined, write, place.line, tell);
  }

  #flush(write: Extract<Write, { op: 'flush' }>): Write {
    return write.ofDb === undefined ? write : { op: 'flush', ofDb: this.#names.db };
  }

  #resolve(removal: UnnamedRemoval, group: WriteGroup, activated: Activated, kind: GroupKind): FoundWrite[] {
    const { from, to, verb, place } = removal;
    const target = to && 'base' in to && to.base === from.base ? to : undefined;
    if (BLOCKS.test(verb) && kind !== 'log') this.#waitedAt.add(`${from.base}:${from.key}`);
    return this.#keys.idsIn(from.base).flatMap((id): FoundWrite[] => {
      const jobKey = `${from.base}:${id}`;
      const isOut = (): FoundWrite[] => [
        { place, target: from, id, write: { op: 'out', set: from.key } },
        ...(target ? [{ place, target, id, write: { op: 'into' as const, set: target.key } }] : []),
      ];
      const isCleaned = CLEANS.test(verb) || verb === 'ltrim';
      if (isCleaned ? deletes(group, jobKey) : activated.keys.has(jobKey)) return isOut();
      if (verb === 'ltrim' && movesElsewhere(group, from.key, id)) return isOut();
      const isAnothers = CLEANS.test(verb) ? group.deletesOthers : !isCleaned && activated.any;
      // In a script all of whose commands were seen, a command that names nobody removed nobody.
      if (isAnothers || (kind === 'script' && verb !== 'ltrim')) return [];
      const more = target ? { to: target.key } : {};
      return [{ place, target: from, id, write: { op: 'maybe-out', set: from.key, ...more, command: verb } }];
    });
  }

  /** A job that is activated stands in `active`, also where it was popped by a command of its own before. */
  #impliedMoves(group: WriteGroup, activated: Activated): FoundWrite[] {
    const moves: FoundWrite[] = [];
    for (const [jobKey, place] of activated.keys) {
      const target = this.#keys.target(jobKey);
      if (target?.key !== 'hash') continue;
      const { id } = target;
      const base = jobKey.slice(0, -id.length - 1);
      const isTold =
        group.found.some(
          ({ target: at, write, id: of }) =>
            of === id && 'base' in at && at.base === base && write.op === 'into' && write.set === 'active',
        ) || group.unnamed.some(({ from, to }) => from.base === base && to?.key === 'active');
      if (isTold) continue;
      const [wait, active] = [{ key: 'wait', base } as const, { key: 'active', base } as const];
      moves.push({ place, target: wait, id, write: { op: 'out', set: 'wait' } });
      moves.push({ place, target: active, id, write: { op: 'into', set: 'active' } });
    }
    return moves;
  }

  #tellFound({ place, target, id, write }: FoundWrite, group: number, tell: TellWrite): void {
    if (!('base' in target)) {
      const cut = this.#names.cut(target.jobKey);
      if (cut !== undefined && cut.job !== target.id) return;
      const base = cut?.base ?? target.jobKey.slice(0, -target.id.length - 1);
      this.#tellOne(place, target.id, base, write, group, tell);
      return;
    }
    for (const one of id === undefined ? this.#keys.idsIn(target.base) : [id]) {
      this.#tellOne(place, one, target.base, write, group, tell);
      if (write.op === 'into' && this.#waitedAt.has(`${target.base}:${write.set}`))
        this.#tellOne(place, one, target.base, taken(write.set), group, tell);
    }
  }

  #tellOne(
    { line, offset, t }: Place,
    id: string,
    base: string | undefined,
    write: Write,
    group: number,
    tell: TellWrite,
  ): void {
    if (base !== undefined && !this.#names.gate.covers(`${base}:`)) return;
    const name = base === undefined ? undefined : this.#names.nameOf(base);
    const { db } = this.#names;
    const whole: JobWrite = { ...write, group, ...(db === 0 ? {} : { db }) };
    tell(
      {
        kind: 'job-write',
        clock: 'redis',
        precision: 'none',
        line,
        offset,
        job: id,
        ...(name ? { queue: name.queue } : {}),
        ...(name && name.prefix !== DEFAULT_PREFIX ? { prefix: name.prefix } : {}),
        ...(name?.db === undefined ? {} : { db: name.db }),
        data: { write: whole },
      },
      { line, offset, ...(t === undefined ? {} : { t }) },
    );
  }
}

const emptyGroup = (): WriteGroup => ({ found: [], unnamed: [], wide: [], deletesOthers: false });

const taken = (set: QueueSet): Write => ({ op: 'maybe-out', set, to: 'active', command: 'brpoplpush' });

interface Activated {
  /** Where each job was activated, by its key. */
  readonly keys: ReadonlyMap<string, Place>;
  readonly any: boolean;
}

function activatedBy(effects: readonly Effect[]): Activated {
  const keys = new Map<string, Place>();
  for (const effect of effects) {
    if (effect.what === 'processed') keys.set(effect.jobKey, effect.place);
    else if (effect.what === 'entry' && effect.event.kind === 'active')
      keys.set(`${effect.base}:${effect.event.job}`, effect.place);
  }
  return { keys, any: keys.size > 0 };
}

const deletes = (group: WriteGroup, jobKey: string): boolean =>
  group.found.some(({ target, write }) => target.key === 'hash' && target.jobKey === jobKey && write.op === 'gone');

const movesElsewhere = (group: WriteGroup, from: QueueSet, id: string): boolean =>
  group.found.some(({ write, id: of }) => of === id && write.op === 'into' && write.set !== from);
