/**
 * What workers stamped into jobs on their own clocks, against the ids of the entries that Redis wrote in the same script:
 * `processedOn` was taken before the activation, `finishedOn` after the activation and before the end. So each bounds the offset
 * of the worker's clock (its clock − Redis' clock), also where there is no log of it. Told as facts, the tightest on each side.
 */
import type { ClockFact } from '../../model/fact.js';
import { prefixOfToken } from '../../model/lock-token.js';

/** A log that shows more workers than this is hostile. */
const MAX_WORKERS = 10_000;

interface Stamp {
  readonly ms: number;
  readonly offset: number;
}

interface Bounds {
  low: Stamp | undefined;
  high: Stamp | undefined;
  pairs: number;
}

export class WorkerClocks {
  readonly #workers = new Map<string, Bounds>();

  /** The worker's clock was at `stampMs` before Redis' clock was at `redisMs`. `offset`: where the stamp stands. */
  before(token: string, stampMs: number, redisMs: number, offset: number): void {
    const bounds = this.#of(token);
    if (bounds === undefined) return;
    const ms = stampMs - redisMs;
    bounds.pairs++;
    if (bounds.low === undefined || ms > bounds.low.ms) bounds.low = { ms, offset };
  }

  /** The worker's clock was at `stampMs` after Redis' clock was at `redisMs`. */
  after(token: string, stampMs: number, redisMs: number, offset: number): void {
    const bounds = this.#of(token);
    if (bounds === undefined) return;
    const ms = stampMs - redisMs;
    bounds.pairs++;
    if (bounds.high === undefined || ms < bounds.high.ms) bounds.high = { ms, offset };
  }

  facts(): ClockFact[] {
    return [...this.#workers].map(([tokenPrefix, { low, high, pairs }]) => ({
      type: 'clock',
      tokenPrefix,
      pairs,
      ...(low ? { low } : {}),
      ...(high ? { high } : {}),
    }));
  }

  #of(token: string): Bounds | undefined {
    const prefix = prefixOfToken(token);
    let bounds = this.#workers.get(prefix);
    if (bounds === undefined && this.#workers.size < MAX_WORKERS) {
      bounds = { low: undefined, high: undefined, pairs: 0 };
      this.#workers.set(prefix, bounds);
    }
    return bounds;
  }
}
