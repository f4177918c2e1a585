/** The records behind the timeline: of stories and of witnesses, each once, on one axis. Also the rows of timeline.csv. */
import type { Finding, Moment, Ref } from '../../model/analysis.js';
import { type JobName, jobKey, type ReportContext } from '../context.js';
import { axisMs } from '../display-time.js';
import { refKey } from '../ref-text.js';

/** One record of the timeline before it is worded. */
export interface TimelineRecord {
  readonly moment: Moment;
  readonly kind: string;
  readonly worker: string | undefined;
  readonly text: string;
  readonly ref: Ref;
  /** Other records of the same event. */
  readonly also: readonly Ref[];
  readonly job: JobName | undefined;
  readonly finding: Finding | undefined;
  /** Where it stands on the common axis, ms; undefined where no time is known. */
  readonly place: number | undefined;
}

/** All records of stories and witnesses, each once, in the order of the common axis; those without a time last. */
export function timelineRecords(context: ReportContext): TimelineRecord[] {
  const records = new Map<string, TimelineRecord>();
  const owner = findingOfRef(context.analysis.findings);
  const jobsOf = new Map(context.analysis.findings.map((finding) => [finding, new Set(finding.jobs.map(jobKey))]));
  for (const story of context.analysis.stories) {
    const job = jobKey(story);
    const places = placesInStory(story.timeline.map((entry) => entry.moment));
    for (const [index, entry] of story.timeline.entries()) {
      const key = `${job} ${refKey(entry.ref)} ${entry.kind}`;
      const also = entry.also ?? [];
      const finding = [entry.ref, ...also]
        .flatMap((ref) => owner.get(refKey(ref)) ?? [])
        .find((one) => jobsOf.get(one)?.has(job) === true);
      records.set(key, { ...entry, worker: entry.worker, also, job: story, finding, place: places[index] });
    }
  }
  const told = new Set([...records.values()].flatMap((record) => [record.ref, ...record.also].map(refKey)));
  for (const finding of context.analysis.findings) {
    const [only, another] = finding.jobs;
    for (const step of [...finding.witness, ...finding.consequences]) {
      if (told.has(refKey(step.ref))) continue;
      const job = another === undefined ? only : undefined;
      records.set(`step ${refKey(step.ref)} ${step.text}`, {
        ...step,
        worker: step.worker,
        also: [],
        job,
        finding,
        place: axisMs(step.moment),
      });
    }
  }
  return [...records.values()].sort(byAxis);
}

/**
 * A story tells its records in the order it could prove. A record whose bounds allow the place of the one before it is not
 * moved ahead of it only because the middle of its bounds lies earlier.
 */
function placesInStory(moments: readonly Moment[]): (number | undefined)[] {
  let before = Number.NEGATIVE_INFINITY;
  return moments.map((moment) => {
    const middle = axisMs(moment);
    if (middle === undefined) return undefined;
    const latest = moment.redisMs?.[1] ?? middle;
    const place = middle < before && before <= latest ? before : middle;
    before = place;
    return place;
  });
}

function byAxis(a: TimelineRecord, b: TimelineRecord): number {
  const [at, bt] = [a.place, b.place];
  if (at === undefined || bt === undefined) return Number(at === undefined) - Number(bt === undefined);
  return at - bt;
}

function findingOfRef(findings: readonly Finding[]): Map<string, Finding[]> {
  const owners = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const { ref } of [...finding.witness, ...finding.consequences]) {
      const known = owners.get(refKey(ref));
      if (known === undefined) owners.set(refKey(ref), [finding]);
      else if (!known.includes(finding)) known.push(finding);
    }
  }
  return owners;
}
