/** Puts the lines of a MONITOR capture together into calls, and lets each be judged when the next one begins. */
import { withBullMoves } from '../effects/bull-moves.js';
import type { Effect } from '../effects/effect.js';
import { EffectReader } from '../effects/effect-reader.js';
import type { Judge } from '../effects/judge.js';
import type { QueueNames } from '../effects/queue-names.js';
import { byteAt } from '../rdb/byte-at.js';
import type { MonitorLine } from './monitor-line.js';
import type { MonitorWrites } from './monitor-writes.js';
import type { CallPlace, Refusals } from './refusals.js';
import { ScriptCall } from './script-call.js';
import { ScriptLines } from './script-lines.js';
import { ScriptNames } from './script-names.js';

const LOWER = 0x20;
const LETTER_E = 0x65;
const LETTER_V = 0x76;

/** First letters of the commands that matter when a client sends them: del, unlink, set, xadd, hset, flush…, lrem, pexpireat. */
const CLIENT_LETTERS: ReadonlySet<number> = new Set([...'duxsfhlp'].map((letter) => letter.charCodeAt(0)));

export class MonitorCalls {
  readonly #names: QueueNames;
  readonly #reader: EffectReader;
  readonly #judge: Judge;
  readonly #refusals: Refusals;
  readonly #call: ScriptCall;
  readonly #lines: ScriptLines;
  #place: CallPlace | undefined;
  #effects: Effect[] = [];
  readonly #writes: MonitorWrites | undefined;

  /** @param writes takes the writes to the job that was asked for. */
  constructor(names: QueueNames, judge: Judge, refusals: Refusals, writes?: MonitorWrites) {
    this.#names = names;
    this.#writes = writes;
    this.#reader = new EffectReader(names, (effect) => this.#effects.push(effect));
    this.#judge = judge;
    this.#refusals = refusals;
    this.#call = new ScriptCall(new ScriptNames());
    this.#lines = new ScriptLines(names);
  }

  /** Takes a line that stands at `[from, to)` of its buffer. */
  take(line: MonitorLine, from: number, to: number, number: number, offset: number): void {
    if (line.isScript) {
      // Lines whose call was not captured belong to nobody.
      if (this.#place === undefined) return;
      this.#lines.take(line, number, offset);
      this.#writes?.line(line, number, offset);
      return;
    }
    this.close(true);
    const letter = byteAt(line.bytes, line.verbAt) | LOWER;
    if (letter === LETTER_E && (byteAt(line.bytes, line.verbAt + 1) | LOWER) === LETTER_V) {
      this.#call.take(line.bytes, from, to);
      this.#place = { line: number, offset, t: line.t };
      this.#judge.enterDatabase(line.db);
    } else {
      const effects = CLIENT_LETTERS.has(letter) ? this.#clientCommand(line, number, offset) : [];
      if (this.#writes === undefined) return;
      this.#judge.enterDatabase(line.db);
      this.#writes.line(line, number, offset);
      this.#writes.settle(effects, false);
    }
  }

  /**
   * Ends the call at hand.
   *
   * @param isWhole no line of it can be missing.
   */
  close(isWhole: boolean): void {
    const place = this.#place;
    if (place === undefined) return;
    this.#place = undefined;
    const lines = this.#lines;
    if (lines.count > 0) this.#settle(place, isWhole);
    this.#writes?.settle(lines.effects, isWhole);
    if (!isWhole) this.#writes?.gap('lines of a script');
    lines.clear();
  }

  #settle(place: CallPlace, isWhole: boolean): void {
    const lines = this.#lines;
    const call = this.#call;
    const throttled = isWhole ? lines.throttledSweep : undefined;
    if (throttled !== undefined) {
      const sweep = () => sweepSettings(call);
      this.#judge.judge([throttledSweep(throttled, place)], { client: call.client, sweep });
      return;
    }
    const certain = isWhole ? withoutVainRemoval(lines) : certainOnly(lines.effects);
    const effects = withBullMoves(certain, this.#names);
    if (effects.length > 0) {
      const sweep = () => sweepSettings(call);
      this.#judge.judge(effects, { client: call.client, token: (job) => call.token(job), sweep });
    }
    if (isWhole) this.#refusals.judge(call, lines, place);
  }

  #clientCommand(line: MonitorLine, number: number, offset: number): readonly Effect[] {
    if (!line.parse()) return [];
    this.#judge.enterDatabase(line.db);
    this.#reader.read(line, { line: number, offset, t: line.t }, false);
    if (this.#effects.length === 0) return [];
    const effects = this.#effects;
    this.#effects = [];
    this.#judge.judge(effects, { client: line.source });
    return effects;
  }
}

/** What the worker gave its sweep: how often a job may stall, and the interval (ARGV 1 and 4 of the script, BullMQ 1 to 6). */
function sweepSettings(call: ScriptCall): Readonly<Record<string, number>> | undefined {
  if (call.parse().name !== 'moveStalledJobsToWait') return undefined;
  const [maxStalledCount, stalledInterval] = [call.number(0), call.number(3)];
  return maxStalledCount < 0 || stalledInterval <= 0 ? undefined : { maxStalledCount, stalledInterval };
}

function throttledSweep(base: string, place: CallPlace): Effect {
  return { what: 'sweep', place, base, expiresAtMs: undefined, intervalMs: undefined, throttled: true };
}

/** A script that ends right after it took a job out of `active` had not found it there (code -3). */
function withoutVainRemoval({ effects, lastRemoval }: ScriptLines): readonly Effect[] {
  return lastRemoval < 0 ? effects : effects.filter((_, index) => index !== lastRemoval);
}

/** Whether a lock was released or lost hangs on what follows; where that may be missing, nothing is said. */
function certainOnly(effects: readonly Effect[]): readonly Effect[] {
  const left = new Set(effects.flatMap((effect) => (effect.what === 'left-active' ? [effect.jobKey] : [])));
  return effects.filter((effect) => effect.what !== 'lock-deleted' || left.has(effect.jobKey));
}
