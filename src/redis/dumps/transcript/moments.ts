/**
 * When the answers were given. A transcript carries no times of its own: what bounds them is Redis' clock, where an answer
 * shows it (TIME, INFO, ids of stream entries), and the time of the file.
 */
export class Moments {
  readonly #modifiedMs: number | undefined;
  /** Latest time of Redis' clock that any answer shows. */
  #seen: number | undefined;
  /** The same, before the first answer about a state: no state can be older. */
  #before: number | undefined;
  #hasState = false;
  /** Last reading of Redis' clock itself, and whether a state was asked after it. */
  #now: number | undefined;
  #isNowLast = false;

  constructor(modifiedMs: number | undefined) {
    this.#modifiedMs = modifiedMs;
  }

  /** Something that had happened by the time of the answer. */
  past(ms: number): void {
    this.#seen = Math.max(this.#seen ?? ms, ms);
    if (!this.#hasState) this.#before = this.#seen;
  }

  /** Redis' clock at the answer. */
  now(ms: number): void {
    this.past(ms);
    this.#now = ms;
    this.#isNowLast = true;
  }

  /** An answer shows what Redis held at its moment. */
  state(): void {
    this.#hasState = true;
    this.#isNowLast = false;
  }

  /** The file's time, unless it contradicts an answer. */
  get #fileMs(): number | undefined {
    const ms = this.#modifiedMs;
    return ms !== undefined && ms >= (this.#seen ?? 0) ? ms : undefined;
  }

  /** What "now" was when a relative time was told, and by what that is known. */
  get reference(): { readonly ms: number; readonly by: 'redis' | 'file' } | undefined {
    if (this.#now !== undefined) return { ms: this.#now, by: 'redis' };
    const ms = this.#fileMs;
    return ms === undefined ? undefined : { ms, by: 'file' };
  }

  /** [earliest, latest] of all states, ms on Redis' clock; undefined where one of the two is not known. */
  get span(): readonly [number, number] | undefined {
    const latest = this.#isNowLast ? this.#now : this.#fileMs;
    return this.#before === undefined || latest === undefined ? undefined : [this.#before, latest];
  }
}
