/** What the analysis says about clocks: the offset of each worker's to Redis', the pairs it rests on, and where it was set. */
import type { StoredSetback } from '../casefile/read-clock-pairs.js';
import type { Clock, Limit, Ref } from '../model/analysis.js';
import { lineAt } from '../model/place.js';
import type { ClockOffset, ClockStep } from '../story/clocks.js';
import { type Interval, midpoint } from '../story/interval.js';
import { durationText } from '../story/moments.js';
import type { Scene, WorkerProcess } from '../story/scene.js';
import type { Clocks } from './set-clocks.js';

export function accountForClocks(scene: Scene, known: Clocks): { clocks: Clock[]; limits: Limit[] } {
  const logged = scene.workers.filter((worker) => known.offsets.has(worker.id));
  return {
    clocks: [
      ...logged.flatMap((worker) => {
        const offset = known.offsets.get(worker.id);
        return offset ? [toClock(worker.id, offset)] : [];
      }),
      ...[...known.stamped].flatMap(([name, offset]) => {
        // A name is given by people: only beside a log of that name is it the same process told twice.
        const owner =
          scene.workers.find((worker) => worker.tokenPrefixes.includes(name)) ??
          logged.find((worker) => worker.id === name || worker.name === name);
        return owner && known.offsets.has(owner.id) ? [] : [toClock(owner?.id ?? name, offset)];
      }),
    ],
    limits: logged.flatMap((worker) => {
      const offset = known.offsets.get(worker.id);
      return offset ? limitsOf(worker, offset, known.setbacks.get(worker.id) ?? []) : [];
    }),
  };
}

const pair = ([low, high]: Interval): [number, number] => [low, high];

const toClock = (worker: string, offset: ClockOffset): Clock => ({
  worker,
  offsetMs: pair(offset.offsetMs),
  pairs: offset.pairs,
  ...(offset.tightest.low || offset.tightest.high ? { tightest: offset.tightest } : {}),
  basis: offset.basis,
  ...(offset.steps.length === 0
    ? {}
    : {
        steps: offset.steps.map(({ fromMs, toMs, after, before }) => ({
          fromMs: pair(fromMs),
          toMs: pair(toMs),
          after,
          before,
        })),
      }),
  ...(offset.contradiction ? { contradiction: offset.contradiction } : {}),
});

const MOST_TOLD = 10;

function limitsOf(worker: WorkerProcess, offset: ClockOffset, setbacks: readonly StoredSetback[]): Limit[] {
  const steps = offset.steps.slice(0, MOST_TOLD).map((step) => ({
    what: 'clock stepped',
    detail: `the clock of ${worker.id} was set ${stepText(step)} between ${placeText(step.after)} and ${placeText(step.before)}: each side has its own offset to Redis, and lines between them may have either`,
    ref: step.before,
  }));
  const { contradiction } = offset;
  const contradicting = contradiction
    ? [
        {
          what: 'clock pairs contradict each other',
          detail: `${worker.id}: no offset fits ${placeText(contradiction.low)} and ${placeText(contradiction.high)}, by ${durationText(contradiction.byMs)}: one of the two lines is not what it seems; its offset is taken to be as uncertain as that`,
          ref: contradiction.high,
        },
      ]
    : [];
  const unexplained = setbacks.filter(({ before }) => !offset.steps.some((step) => step.before.line === before.line));
  const [first] = unexplained;
  const back = first
    ? [
        {
          what: 'time goes back in a log',
          detail: `${placeText(first.before)} is ${durationText(first.ms)} earlier than ${placeText(first.after)} before it: ${
            offset.widenedMs === undefined
              ? `its lines are taken as out of order, or as put together from several files; if the clock of ${worker.id} was set back there, the order of what follows is not what it seems`
              : `the clock of ${worker.id} may have been set back, and no pair of records tells; its offset is taken to be uncertain by ${durationText(offset.widenedMs)} more`
          }`,
          count: unexplained.length,
          ref: first.before,
        },
      ]
    : [];
  return [...steps, ...contradicting, ...back];
}

function stepText({ fromMs, toMs }: ClockStep): string {
  const byMs = midpoint(toMs) - midpoint(fromMs);
  const where = byMs < 0 ? 'back' : 'forward';
  const blurMs = toMs[1] - toMs[0] + (fromMs[1] - fromMs[0]);
  if (blurMs <= Math.abs(byMs) * BLUR_OF_STEP) return `${where} by ${durationText(Math.abs(byMs))}`;
  const leastMs = byMs < 0 ? fromMs[0] - toMs[1] : toMs[0] - fromMs[1];
  return leastMs > 0 ? `${where} by at least ${durationText(leastMs)}` : 'by an unknown time';
}

/** A step is given as one number where its bounds are this close together. */
const BLUR_OF_STEP = 1 / 10;

const placeText = ({ source, line }: Ref): string => (line === undefined ? source : `${source}:${lineAt(line)}`);
