/** lockDuration and its kin: from the evidence, given by the analyst, or assumed as BullMQ's defaults, and always said. */
import type { LearnedWords } from '../casefile/learn-words.js';
import type { Ref, Setting } from '../model/analysis.js';
import type { StoredEvent } from '../model/stored.js';
import { refOf } from '../story/moments.js';
import type { Known, SettingName } from '../story/scene.js';

/** Two clocks without a pair are taken as equal within this, ms, unless `--clock-skew` says otherwise. */
export const ASSUMED_SKEW_MS = 1000;

export type { SettingName };

/** BullMQ's defaults, all versions (ms; maxStalledCount: times). */
const DEFAULTS: Readonly<Record<SettingName, number>> = {
  lockDuration: 30_000,
  stalledInterval: 30_000,
  maxStalledCount: 1,
};

/** The renewal timer ticks at a quarter of lockDuration with BullMQ's default lockRenewTime (half of it). */
const TICKS_PER_LOCK = 4;

/** A setting that AOF or MONITOR shows: the life given to locks, the interval between sweeps. */
export interface StoredSetting {
  readonly name: string;
  readonly value: number;
  readonly ref: Ref;
}

export type KnownSettings = Readonly<Record<SettingName, Known>>;

/**
 * What is given wins; then what AOF or MONITOR shows; then what a worker printed; then, for lockDuration, the spacing of
 * repeated renewal errors of one job (a quarter of it, median of at least three equal ticks); then the default, marked as
 * assumed. A sweep that found no lock so soon after an activation that the default cannot be true lowers what is assumed to
 * the time between the two.
 */
export function settleSettings(
  given: Readonly<Partial<Record<SettingName, number>>>,
  signs: readonly StoredEvent[],
  renewalErrors: readonly (readonly StoredEvent[])[],
  stored: readonly StoredSetting[],
  quickestStall?: { readonly active: StoredEvent; readonly stalled: StoredEvent },
): KnownSettings {
  const assume = (name: SettingName): Known => {
    const atMost = (quickestStall?.stalled.t ?? 0) - (quickestStall?.active.t ?? 0);
    if (quickestStall && name !== 'maxStalledCount' && atMost > 0 && atMost < DEFAULTS[name])
      return { value: atMost, basis: 'assumed', refs: [refOf(quickestStall.active), refOf(quickestStall.stalled)] };
    return { value: DEFAULTS[name], basis: 'assumed', refs: [] };
  };
  const know = (name: SettingName): Known => {
    const told = given[name];
    if (told !== undefined) return { value: told, basis: 'given', refs: [] };
    const measured = stored.filter((setting) => setting.name === name);
    const [first] = measured;
    if (first)
      return {
        value: strictest(
          name,
          measured.map((setting) => setting.value),
        ),
        basis: 'evidence',
        refs: measured.map((setting) => setting.ref),
      };
    const ticks = name === 'lockDuration' ? lockFromTicks(renewalErrors) : undefined;
    return printedSetting(signs, name) ?? ticks ?? assume(name);
  };
  return {
    lockDuration: know('lockDuration'),
    stalledInterval: know('stalledInterval'),
    maxStalledCount: know('maxStalledCount'),
  };
}

/** Of several values the lock that can be lost first counts, and the sweep that comes last. */
export const strictest = (name: SettingName, values: readonly number[]): number =>
  name === 'stalledInterval' ? Math.max(...values) : Math.min(...values);

/** The first that a worker printed; a time of nothing is none, while no stall at all may be allowed. */
export function printedSetting(signs: readonly StoredEvent[], name: SettingName): Known | undefined {
  const sign = signs.find((event) => event.kind === 'settings' && event.data.settings?.[name] !== undefined);
  const value = sign?.data.settings?.[name];
  const isPossible = value !== undefined && (value > 0 || (value === 0 && name === 'maxStalledCount'));
  return sign && isPossible ? { value, basis: 'evidence', refs: [refOf(sign)] } : undefined;
}

/** Renewal errors of one run come at every tick while the handler runs on: their spacing is the timer's. */
function lockFromTicks(series: readonly (readonly StoredEvent[])[]): Known | undefined {
  for (const errors of series) {
    const timed = errors.filter(
      (event) => event.t !== undefined && (event.precision === 'ms' || event.precision === 'us'),
    );
    const spacings = timed.slice(1).map((event, n) => (event.t ?? 0) - (timed[n]?.t ?? 0));
    if (spacings.length < 3) continue;
    const sorted = [...spacings].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const regular = spacings.filter((spacing) => Math.abs(spacing - median) <= median / 5).length;
    if (median <= 0 || regular * 2 < spacings.length) continue;
    const refs = timed.slice(0, 4).map(refOf);
    return { value: Math.round(median * TICKS_PER_LOCK), basis: 'evidence', refs };
  }
  return undefined;
}

/** Settings as the analysis lists them, what was assumed and what was learned included. */
export function settingRows(
  known: KnownSettings,
  skewMs: number | undefined,
  onlyQueue: string | undefined,
  words: readonly LearnedWords[],
): Setting[] {
  const rows: Setting[] = (Object.entries(known) as [SettingName, Known][]).map(([name, { value, basis, refs }]) => ({
    name,
    value,
    basis,
    scope: 'all queues and workers',
    refs: [...refs],
  }));
  rows.push({
    name: 'clockSkew',
    value: skewMs ?? ASSUMED_SKEW_MS,
    basis: skewMs === undefined ? 'assumed' : 'given',
    scope: 'workers without clock pairs',
    refs: [],
  });
  if (onlyQueue !== undefined)
    rows.push({
      name: 'queue of records that name none',
      value: onlyQueue,
      basis: 'assumed',
      scope: 'the only queue in the evidence',
      refs: [],
    });
  rows.push(...wordRows(words));
  return rows;
}

/** A team's words whose meaning was learned. */
export const wordRows = (words: readonly LearnedWords[]): Setting[] =>
  words.map(({ kind, shape, jobs, example }) => ({
    name: `words for ${kind}`,
    value: shape,
    basis: 'evidence',
    scope: `by their place in ${jobs} jobs that went well`,
    refs: [example],
  }));

/** Times on the command line that named no zone. */
export const zoneRows = (options: readonly string[]): Setting[] =>
  options.map((option) => ({ name: 'zone', value: 'UTC', basis: 'assumed', scope: option, refs: [] }));
