/** What the evidence says about settings: lock lives, renewal ticks, the quickest sweep. */
import type { CaseFile } from '../casefile/case-file.js';
import { readJobs } from '../casefile/read-jobs.js';
import { readStoredSettings } from '../casefile/read-timing.js';
import type { Suspect } from '../casefile/triage.js';
import type { StoredEvent, StoredSource } from '../model/stored.js';
import { readStream, streamEntries } from '../story/read-stream.js';
import { eachOnce } from '../story/routes.js';
import type { Cast } from './set-scene.js';
import { type KnownSettings, type SettingName, settleSettings } from './settings.js';

/** Jobs that are looked at for what they say about settings. */
const MAX_SAMPLED = 100;

/** Settles the settings by what the analyst gave and what workers, locks and sweeps show. */
export async function learnSettings(
  file: CaseFile,
  cast: Cast,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
  given: Readonly<Partial<Record<SettingName, number>>>,
): Promise<KnownSettings> {
  return settleSettings(
    given,
    cast.signs,
    await renewalSeries(file, suspects, sources),
    await readStoredSettings(file),
    await quickestStall(file, suspects, sources),
  );
}

/** Renewal errors of each suspect, in order: their spacing tells the renewal timer. */
async function renewalSeries(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
): Promise<StoredEvent[][]> {
  const repeated = suspects.filter((suspect) => suspect.summary.renewal_errors > 3).slice(0, MAX_SAMPLED);
  const records = await readJobs(file, repeated, sources);
  return records.flatMap((record) => {
    const errors = record.events.filter((event) => event.kind === 'renewal-failed');
    const processes = new Set(errors.map((event) => event.process));
    return [...processes].map((process) => errors.filter((event) => event.process === process));
  });
}

/** The activation and the sweep that followed it soonest: the lock lived no longer than the time between the two. */
async function quickestStall(
  file: CaseFile,
  suspects: readonly Suspect[],
  sources: ReadonlyMap<number, StoredSource>,
): Promise<{ active: StoredEvent; stalled: StoredEvent } | undefined> {
  const stalled = suspects.filter((suspect) => suspect.summary.stalls > 0).slice(0, MAX_SAMPLED);
  const pairs = (await readJobs(file, stalled, sources)).flatMap((record) =>
    readStream(streamEntries(eachOnce(record.events))).activations.flatMap(({ active, stalled: sweep }) =>
      sweep ? [{ active, stalled: sweep }] : [],
    ),
  );
  const lasted = (pair: { active: StoredEvent; stalled: StoredEvent }): number =>
    (pair.stalled.t ?? 0) - (pair.active.t ?? 0);
  return pairs.sort((a, b) => lasted(a) - lasted(b))[0];
}
