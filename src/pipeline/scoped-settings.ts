/** Settings that differ between workers or queues: which holds where, and that they differ. */
import type { LockHabits, ShownSetting } from '../casefile/read-lock-ledger.js';
import type { Limit, Ref, Setting } from '../model/analysis.js';
import { durationText } from '../story/moments.js';
import type { Known, OwnSettings, Scene, ScopedSettings, SettingName, WorkerProcess } from '../story/scene.js';
import { type KnownSettings, printedSetting, strictest } from './settings.js';

const NAMES: readonly SettingName[] = ['lockDuration', 'stalledInterval', 'maxStalledCount'];

/** A value, and who showed it. */
interface Shown {
  readonly tokenPrefix: string;
  readonly queues: ReadonlySet<string>;
  readonly name: SettingName;
  readonly value: number;
  readonly ref: Ref;
}

/**
 * What AOF and MONITOR show of each worker instance, and workers print. What the analyst gave holds everywhere.
 *
 * @param queuesOf queues of each token prefix
 */
export function scopeSettings(
  shown: readonly ShownSetting[],
  queuesOf: ReadonlyMap<string, ReadonlySet<string>>,
  workers: readonly WorkerProcess[],
  known: KnownSettings,
): ScopedSettings {
  const open = NAMES.filter((name) => known[name].basis !== 'given');
  const seen: Shown[] = shown
    .filter(({ name }) => open.includes(name))
    .map((one) => ({ ...one, queues: queuesOf.get(one.tokenPrefix) ?? new Set() }));
  const prefixes = [...new Set(seen.map(({ tokenPrefix }) => tokenPrefix))];
  const byToken = new Map(
    prefixes.map((prefix) => [prefix, settle(seen.filter(({ tokenPrefix }) => tokenPrefix === prefix))] as const),
  );
  const queues = [...new Set(seen.flatMap((one) => [...one.queues]))].sort();
  return {
    byToken,
    byWorker: new Map(workers.map((worker) => [worker.id, ofWorker(worker, byToken, open)])),
    byQueue: new Map(queues.map((queue) => [queue, settle(seen.filter((one) => one.queues.has(queue)))])),
  };
}

function settle(shown: readonly Shown[]): OwnSettings {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const mine = shown.filter((one) => one.name === name);
      const value = strictest(
        name,
        mine.map((one) => one.value),
      );
      const refs = mine.filter((one) => one.value === value).map((one) => one.ref);
      return mine.length === 0 ? [] : [[name, { value, basis: 'evidence', refs: refs.slice(0, 1) } satisfies Known]];
    }),
  );
}

/** What all instances of the process show, or else what it printed. */
function ofWorker(
  worker: WorkerProcess,
  byToken: ReadonlyMap<string, OwnSettings>,
  open: readonly SettingName[],
): OwnSettings {
  const instances = worker.tokenPrefixes.flatMap((prefix) => byToken.get(prefix) ?? []);
  return Object.fromEntries(
    open.flatMap((name) => {
      const values = instances.flatMap((own) => own[name] ?? []);
      const agreed = new Set(values.map(({ value }) => value)).size === 1 ? values[0] : undefined;
      const setting = agreed ?? (values.length === 0 ? printedSetting(worker.signs, name) : undefined);
      return setting === undefined ? [] : [[name, setting]];
    }),
  );
}

/** Adds a row for each worker whose setting is known, where they are not all the same. */
export function withOwnRows(rows: readonly Setting[], scene: Scene): Setting[] {
  const own = ownRows(scene);
  return rows.flatMap((row) => {
    const mine = own.filter(({ name }) => name === row.name);
    return mine.length === 0 ? [row] : [...mine, { ...row, scope: 'workers without a row of their own' }];
  });
}

function ownRows(scene: Scene): Setting[] {
  return NAMES.flatMap((name) =>
    differing(name, scene).map(({ worker, setting: { value, basis, refs } }) => ({
      name,
      value,
      basis,
      scope: `worker ${worker.id}`,
      refs: [...refs],
    })),
  );
}

/** Workers whose settings of this name are known, where they are not all the same. */
function differing(name: SettingName, scene: Scene): { worker: WorkerProcess; setting: Known }[] {
  const known = scene.workers.flatMap((worker) => {
    const setting = scene.scoped.byWorker.get(worker.id)?.[name];
    return setting === undefined ? [] : [{ worker, setting }];
  });
  return new Set(known.map(({ setting }) => setting.value)).size > 1 ? known : [];
}

/** That workers of one queue differ; that a worker hardly renews its locks. */
export function settingLimits(
  scene: Scene,
  queuesOfWorkers: ReadonlyMap<string, ReadonlySet<string>>,
  habits: readonly LockHabits[],
): Limit[] {
  return [...differenceLimits(scene, queuesOfWorkers), ...cadenceLimits(scene, habits)];
}

function differenceLimits(scene: Scene, queuesOfWorkers: ReadonlyMap<string, ReadonlySet<string>>): Limit[] {
  const queues = [...new Set([...queuesOfWorkers.values()].flatMap((names) => [...names]))].sort();
  return NAMES.flatMap((name) =>
    queues.flatMap((queue): Limit[] => {
      const mine = differing(name, scene).filter(({ worker }) => queuesOfWorkers.get(worker.id)?.has(queue));
      const values = [...new Set(mine.map(({ setting }) => setting.value))].sort((a, b) => a - b);
      const text = (value: number): string => (name === 'maxStalledCount' ? String(value) : durationText(value));
      const told = values.map((value) => {
        const workers = mine.filter(({ setting }) => setting.value === value).map(({ worker }) => worker.id);
        return `${text(value)} on ${workers.slice(0, 3).join(', ')}${workers.length > 3 ? ` and ${workers.length - 3} more` : ''}`;
      });
      const ref = mine[0]?.setting.refs[0];
      return values.length < 2
        ? []
        : [
            {
              what: 'workers of one queue differ',
              detail: `queue ${queue}: ${name} is ${told.join(', ')}; each run is judged by the setting of its own worker`,
              ...(ref ? { ref } : {}),
            },
          ];
    }),
  );
}

/** A cadence no shorter than the lock's life loses every lock that is held for longer; BullMQ's own is a quarter of it. */
function cadenceLimits(scene: Scene, habits: readonly LockHabits[]): Limit[] {
  return habits.flatMap((habit): Limit[] => {
    const worker = scene.workers.find((one) => one.tokenPrefixes.includes(habit.tokenPrefix));
    const life = scene.scoped.byToken.get(habit.tokenPrefix)?.lockDuration ?? scene.lockDuration;
    const name = worker?.id ?? habit.tokenPrefix;
    const slow =
      habit.maxMs !== undefined && habit.maxMs >= life.value
        ? [
            {
              what: 'renewal no sooner than the lock expires',
              detail: `${name} left ${durationText(habit.maxMs)} between two renewals of a lock that lives ${durationText(life.value)}`,
              ...(habit.slowest ? { ref: habit.slowest } : {}),
            },
          ]
        : [];
    const missing =
      habit.unrenewed > 0
        ? [
            {
              what: 'locks not renewed',
              detail: `${name} held locks for most of their life or all of it (${durationText(life.value)}) without a renewal, ${habit.renewals === 0 ? 'and none of its locks was ever renewed' : `though it renewed others (${habit.renewals} renewals)`}`,
              count: habit.unrenewed,
              ...(habit.firstUnrenewed ? { ref: habit.firstUnrenewed } : {}),
            },
          ]
        : [];
    return [...slow, ...missing];
  });
}
