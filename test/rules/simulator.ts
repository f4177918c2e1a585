/**
 * Histories of one job as BullMQ's scripts and a worker's log would write them, with a known fault or none.
 *
 * Lock life and stalledInterval are those of the histories (2,000 ms). The order of records inside one script follows the scripts
 * (activation; finish with its own refusals; sweep: waiting, stalled); a living process writes a line at least each 400 ms.
 */
import type { Variant } from './history.js';

export const LOCK = 2000;

/** A number from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Simulated {
  readonly history: string;
  readonly variant: Variant;
  /** Boundaries that may lead; empty where nothing failed. */
  readonly truth: readonly string[];
  readonly duplicate: 'none' | 'sequential' | 'overlapping';
  readonly what: string;
}

interface Voice {
  readonly starts: boolean;
  readonly returns: boolean;
  readonly notices: boolean;
  readonly progress: boolean;
}

class Stage {
  readonly records: { who: string; ms: number; text: string }[] = [];
  readonly random: () => number;
  readonly voice: Voice;
  /** Stretches in which a process writes its heartbeat. */
  readonly #awake: { who: string; from: number; to: number }[] = [];

  constructor(seed: number) {
    this.random = randomFrom(seed);
    const yes = (share: number): boolean => this.random() < share;
    this.voice = { starts: true, returns: yes(0.7), notices: yes(0.8), progress: yes(0.6) };
  }

  between = (from: number, to: number): number => Math.round(from + this.random() * (to - from));
  pick = <T>(items: readonly T[]): T => items[Math.floor(this.random() * items.length)] as T;

  say(who: string, ms: number, text: string): void {
    this.records.push({ who, ms: Math.round(ms), text });
  }

  awake(who: string, from: number, to: number): void {
    this.#awake.push({ who, from, to });
  }

  /** Redis activates, the worker starts. */
  begin(who: string, at: number): void {
    this.say('R', at, 'active');
    this.say(who, at + 1, 'handler-started');
  }

  progress(at: number, percent: number): void {
    if (this.voice.progress) this.say('R', at, `progress progress=${percent}`);
  }

  /** The handler returns and Redis records it. */
  finish(who: string, at: number): number {
    if (this.voice.returns) this.say(who, at, 'handler-returned');
    this.say('R', at + 2, 'completed');
    this.say(who, at + 3, 'acknowledged');
    return at + 3;
  }

  /** The handler returns and Redis refuses the finish: told twice from 5.61 on. */
  refuse(who: string, at: number, kind: 'lock-missing' | 'lock-mismatch'): number {
    if (this.voice.returns) this.say(who, at, 'handler-returned');
    this.say(who, at + 3, `${kind} command=moveToFinished frame=handle-completed`);
    this.say(who, at + 5, `${kind} command=moveToFinished frame=handle-failed`);
    return at + 5;
  }

  sweep(who: string, at: number): void {
    this.say('R', at, 'waiting prev=active');
    this.say('R', at, 'stalled');
    if (this.voice.notices) this.say(who, at + 1, 'stalled-notice');
  }

  done(): { history: string; variant: Variant } {
    const heartbeats = this.#awake.flatMap(({ who, from, to }) => {
      const lines: { who: string; ms: number; text: string }[] = [];
      for (let ms = from; ms <= to; ms += this.between(200, 400)) lines.push({ who, ms: Math.round(ms), text: '-' });
      return lines;
    });
    const all = [...this.records, ...heartbeats]
      .map((record, n) => ({ ...record, n }))
      .sort((a, b) => a.ms - b.ms || a.n - b.n);
    const skew = (): number => Math.round((this.random() - 0.5) * 10_000);
    return {
      history: all.map(({ who, ms, text }) => `${who} ${ms} ${text}`).join('; '),
      variant: {
        shiftMs: { A: skew(), B: skew(), C: skew() },
        logsReturns: this.voice.returns,
        longestRunMs: 600,
      },
    };
  }
}

type Play = (stage: Stage) => { truth: readonly string[]; duplicate: Simulated['duplicate'] };

const nothing = { truth: [], duplicate: 'none' } as const;

/** Ways of a job in which nothing fails. */
export const HEALTHY: Readonly<Record<string, Play>> = {
  plain(s) {
    const end = s.between(50, 600);
    s.awake('A', -1000, end + 3000);
    s.begin('A', 0);
    s.progress(end / 2, 50);
    s.finish('A', end);
    return nothing;
  },
  'long and renewed'(s) {
    const end = s.between(5000, 15_000);
    s.awake('A', -1000, end + 1000);
    s.begin('A', 0);
    for (let at = 700; at < end; at += 900) s.progress(at, Math.round((100 * at) / end));
    s.finish('A', end);
    return nothing;
  },
  'retry by policy'(s) {
    const failed = s.between(20, 300);
    const again = failed + (s.random() < 0.5 ? 4 : s.between(200, 3000));
    const other = s.pick(['A', 'B']);
    s.awake('A', -500, again + 3000);
    s.awake('B', -500, again + 3000);
    s.begin('A', 0);
    s.say('A', failed, 'attempt-failed text=boom');
    s.say('R', failed - 1, again - failed > 10 ? 'delayed' : 'waiting prev=active');
    if (again - failed > 10) s.say('R', again - 1, 'waiting prev=delayed');
    s.begin(other, again);
    s.finish(other, again + s.between(20, 400));
    return nothing;
  },
  step(s) {
    const move = s.pick(['delayed', 'waiting-children prev=active', 'waiting prev=active']);
    const at = s.between(3, 200);
    const again = at + s.between(300, 4000);
    const other = s.pick(['A', 'B']);
    s.awake('A', -500, again + 2000);
    s.awake('B', -500, again + 2000);
    s.begin('A', 0);
    s.say('R', at, move);
    if (s.random() < 0.5) s.say('A', at + 1, 'moved-by-handler');
    if (!move.startsWith('waiting prev')) s.say('R', again - 1, `waiting prev=${move.split(' ')[0]}`);
    s.begin(other, again);
    s.finish(other, again + s.between(20, 400));
    return nothing;
  },
  'final failure'(s) {
    const failed = s.between(20, 500);
    s.awake('A', -500, failed + 2000);
    s.begin('A', 0);
    s.say('R', failed - 1, 'failed text=boom');
    s.say('A', failed, 'attempt-failed text=boom');
    return nothing;
  },
  'graceful close'(s) {
    const end = s.between(300, 900);
    s.awake('A', -500, end + 20);
    s.awake('B', -500, end + 6000);
    s.begin('A', 0);
    s.say('A', 100, 'worker-signal signal=SIGTERM');
    s.say('A', 101, 'worker-closing');
    s.finish('A', end);
    s.say('A', end + 30, 'worker-closed');
    return nothing;
  },
  'still running when the log ends'(s) {
    const end = s.between(200, 1500);
    s.awake('A', -500, end);
    s.begin('A', 0);
    s.progress(150, 10);
    return nothing;
  },
};

/** The sweep comes after the lock ran out, two intervals at most. */
const takenBack = (s: Stage, lastRenewal: number): number => lastRenewal + LOCK + s.between(50, 2 * LOCK - 100);

/** Ways of a job in which one thing fails. */
export const FAULTY: Readonly<Record<string, Play>> = {
  'worker without a sign of life, another takes over'(s) {
    const from = s.between(5, 200);
    const taken = takenBack(s, 0);
    const end = taken + s.between(600, 4000);
    const second = taken + s.between(200, 500);
    s.awake('A', -3000, 0);
    s.awake('B', -3000, end + 3000);
    s.progress(from, 10);
    s.begin('A', 0);
    s.sweep('B', taken);
    s.begin('B', taken + 2);
    s.finish('B', second);
    s.refuse('A', end, 'lock-missing');
    s.awake('A', end + 10, end + 3000);
    return { truth: ['lock-renewal'], duplicate: 'overlapping' };
  },
  'killed in mid handler'(s) {
    const killed = s.between(50, 800);
    const taken = takenBack(s, Math.min(killed, 500));
    const end = taken + s.between(600, 2000);
    s.awake('A', -3000, killed);
    s.awake('B', -3000, end + 3000);
    s.begin('A', 0);
    // Where neither returns nor progress are told, nothing tells this end from one between return and acknowledgement.
    s.say('R', killed / 2, `progress progress=${s.between(10, 60)}`);
    s.sweep('B', taken);
    s.begin('B', taken + 2);
    s.progress(taken + 50, 5);
    s.finish('B', end);
    return { truth: ['worker-exit'], duplicate: 'sequential' };
  },
  'returned plainly after its move'(s) {
    const at = s.between(3, 100);
    const again = at + s.between(300, 3000);
    s.awake('A', -500, again + 2000);
    s.begin('A', 0);
    s.say('R', at, 'delayed');
    if (s.random() < 0.5) s.say('A', at + 1, 'moved-by-handler');
    s.refuse('A', at + 2, 'lock-missing');
    s.say('R', again - 1, 'waiting prev=delayed');
    s.begin('A', again);
    s.finish('A', again + s.between(20, 400));
    return { truth: ['step-transition'], duplicate: 'none' };
  },
  'went on after its move'(s) {
    const at = s.between(3, 100);
    const end = at + s.between(400, 1500);
    const again = end + s.between(300, 3000);
    s.awake('A', -500, again + 2000);
    s.begin('A', 0);
    s.say('R', at, 'delayed');
    s.say('R', at + 200, 'progress progress=80');
    s.refuse('A', end, 'lock-missing');
    s.say('R', again - 1, 'waiting prev=delayed');
    s.begin('A', again);
    s.finish('A', again + s.between(20, 400));
    return { truth: ['step-transition'], duplicate: 'sequential' };
  },
  'put back by hand'(s) {
    const end = s.between(50, 500);
    const back = end + s.between(500, 5000);
    s.awake('A', -500, back + 3000);
    s.begin('A', 0);
    s.finish('A', end);
    s.say('R', back, 'waiting prev=completed');
    s.begin('A', back + 2);
    s.finish('A', back + s.between(60, 500));
    return { truth: ['manual-requeue'], duplicate: 'sequential' };
  },
  'lock key deleted'(s) {
    const deleted = s.between(100, 400);
    const taken = takenBack(s, 0);
    const end = taken + s.between(600, 3000);
    s.awake('A', -3000, end + 3000);
    s.awake('B', -3000, end + 3000);
    s.begin('A', 0);
    for (let at = deleted + s.between(100, 500); at < end; at += 500) s.say('A', at, 'renewal-failed');
    s.sweep('B', taken);
    s.begin('B', taken + 2);
    s.refuse('A', end, 'lock-mismatch');
    s.finish('B', end + s.between(200, 900));
    return { truth: ['redis-loss'], duplicate: 'overlapping' };
  },
};

/** The history number `seed` of one of `plays`. */
export function simulate(plays: Readonly<Record<string, Play>>, seed: number): Simulated {
  const names = Object.keys(plays);
  const what = names[seed % names.length] ?? '';
  const stage = new Stage(seed);
  const { truth, duplicate } = plays[what]?.(stage) ?? nothing;
  return { ...stage.done(), truth, duplicate, what: `${what}, seed ${seed}` };
}
