/**
 * Did the process of a run end while the run was open, and how is that known?
 *
 * A process that says nothing more may be dead, suspended or merely idle. Its end is taken as shown when a record says so
 * (exit, crash), and as likely when it had an open job, never came back, and either a new process took its place or the
 * evidence goes on for so long that a living process would have had to speak.
 */
import { type EndSign, endSignOf } from '../model/end-signs.js';
import type { StoredEvent } from '../model/stored.js';
import { firstSeen, lastSeen, redisInterval } from './moments.js';
import type { Scene, WorkerProcess } from './scene.js';
import { lockDurationOf } from './settings-of.js';
import { lastSignOf, type Run } from './story.js';

export interface ProcessEnd {
  readonly worker: WorkerProcess;
  readonly how: EndSign | 'silent';
  /** The record that says so, when there is one. */
  readonly sign?: StoredEvent;
  /** The last record of the run. */
  readonly lastSign: StoredEvent;
  /** How long the evidence goes on after the last line of the process, ms. */
  readonly silentForMs: number;
  readonly certainty: 'shown' | 'likely' | 'possible';
}

/** A living worker renews each quarter of a life of its lock; a life and a half without a word of an open job is no pause. */
const LIVES_OF_SILENCE = 1.5;
/** Closing words and crash blocks stand at the end: at most a quarter of a lock's life before the last line. */
const TAIL_OF_LOCK = 1 / 4;
/** … or a second, where the lock is short: an orderly end takes that long. */
const TAIL_MS = 1000;

/**
 * Undefined when the run ended for the record, or when the process wrote lines after the job was taken from it: then it
 * lived, and something else went wrong.
 */
export function processEnd(run: Run, scene: Scene): ProcessEnd | undefined {
  const { worker } = run;
  // Where a refused command leaves no trace (AOF alone), a process that is blocked looks like one that is dead.
  if (worker?.refusalsSeen === false) return undefined;
  if (
    worker?.lastMs === undefined ||
    run.completed ||
    run.acknowledged ||
    run.attemptFailed ||
    run.lockErrors.length > 0
  )
    return undefined;
  const lastSign = lastSignOf(run);
  const lastLineMs = lastSeen(worker)?.[0] ?? worker.lastMs;
  const lostBy = lossOf(run, scene);
  if (lostBy !== undefined && lastLineMs > lostBy) return undefined;
  // By its own clock it went on for longer than the lock lived: what became of the finish is not told by its end.
  if (run.returned?.t !== undefined && worker.lastMs - run.returned.t > run.lockLife.value) return undefined;
  const lastAliveMs = Math.max(lastLineMs, redisInterval(lastSign, scene)[0]);
  const silentForMs = scene.endMs - lastAliveMs;
  const tailMs = run.lockLife.value * TAIL_OF_LOCK;
  const lastMs = worker.lastMs;
  const sign = worker.signs.findLast(
    (event) => endSignOf(event.kind) !== undefined && lastMs - (event.t ?? 0) <= Math.max(tailMs, TAIL_MS),
  );
  const base = { worker, lastSign, silentForMs, ...(sign ? { sign } : {}) } as const;
  const how = sign === undefined ? 'silent' : endSignOf(sign.kind);
  if (how === 'crashed') return { ...base, how, certainty: 'shown' };
  if (how === 'signalled' || how === 'closed') return { ...base, how, certainty: 'likely' };
  const longEnough = Math.max(LIVES_OF_SILENCE * run.lockLife.value, 2 * scene.longestRunMs);
  // A returned handler is followed by its acknowledgement at once: silence right after it needs no waiting.
  const returned = run.returned !== undefined && run.stall !== undefined && worker.logsAcknowledgements;
  const gone = silentForMs > longEnough || returned || replaced(worker, lastAliveMs, lostBy, scene);
  // Evidence that ends with the process's own last line says nothing about what came after it.
  if (!gone && silentForMs <= run.lockLife.value) return undefined;
  return { ...base, how: 'silent', certainty: gone ? 'likely' : 'possible' };
}

/** Its last line, or nearly so, is a closing or exit line. */
export function saidGoodbye(worker: WorkerProcess): boolean {
  const tail = worker.signs.at(-1);
  return tail !== undefined && endSignOf(tail.kind) !== undefined && (worker.lastMs ?? 0) - (tail.t ?? 0) <= TAIL_MS;
}

/**
 * The process is gone for good, whatever it had open: its last line is a closing or exit line, a new process took its place, or
 * the evidence goes on without it for one and a half lives of the lock.
 */
export function isGone(worker: WorkerProcess, scene: Scene): boolean {
  if (worker.lastMs === undefined) return false;
  const lastMs = lastSeen(worker)?.[0] ?? worker.lastMs;
  return (
    saidGoodbye(worker) ||
    scene.endMs - lastMs > LIVES_OF_SILENCE * lockDurationOf({ worker }, scene).value ||
    replaced(worker, lastMs, undefined, scene)
  );
}

/** The latest moment at which the job was still with this run, on Redis' clock, ms. */
function lossOf(run: Run, scene: Scene): number | undefined {
  if (run.stall?.recorded?.t !== undefined) return run.stall.recorded.t;
  return run.stall?.noticed ? redisInterval(run.stall.noticed, scene)[1] : undefined;
}

/** A new process announced itself after the silence began and before the job was taken back: a restart or a deploy. */
function replaced(worker: WorkerProcess, lastAliveMs: number, lostBy: number | undefined, scene: Scene): boolean {
  return scene.workers.some((other) => {
    if (other === worker || other.firstMs === undefined) return false;
    const firstMs = firstSeen(other)?.[1] ?? other.firstMs;
    const announced = other.signs.some((event) => event.kind === 'worker-ready');
    return announced && firstMs > lastAliveMs && firstMs <= (lostBy ?? scene.endMs);
  });
}
