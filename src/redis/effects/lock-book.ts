/** The locks that are held at the point of the log that is being read. */

/** So many jobs cannot be active at once; what is beyond is a log whose locks are never released. */
const MAX_LOCKS = 200_000;

export interface HeldLock {
  readonly token: string;
  readonly expiresAtMs: number | undefined;
  /** Life given at the activation, ms. */
  readonly lifeMs: number | undefined;
  /** ms of the `active` entry. */
  readonly activeMs?: number | undefined;
}

export class LockBook {
  readonly #databases = new Map<number, Map<string, HeldLock>>();
  #locks = new Map<string, HeldLock>();

  constructor() {
    this.#databases.set(0, this.#locks);
  }

  /** Keys of one name in two databases are two keys. */
  enterDatabase(db: number): void {
    let locks = this.#databases.get(db);
    if (locks === undefined) {
      locks = new Map();
      this.#databases.set(db, locks);
    }
    this.#locks = locks;
  }

  get(jobKey: string): HeldLock | undefined {
    return this.#locks.get(jobKey);
  }

  set(jobKey: string, lock: HeldLock): void {
    this.#locks.set(jobKey, lock);
    if (this.#locks.size <= MAX_LOCKS) return;
    for (const oldest of this.#locks.keys()) {
      this.#locks.delete(oldest);
      break;
    }
  }

  delete(jobKey: string): void {
    this.#locks.delete(jobKey);
  }

  /** Takes all locks out, of this database or of all. */
  flush(all: boolean): [jobKey: string, lock: HeldLock][] {
    const flushed = all ? [...this.#databases.values()] : [this.#locks];
    const locks = flushed.flatMap((held) => [...held]);
    for (const held of flushed) held.clear();
    return locks;
  }
}
