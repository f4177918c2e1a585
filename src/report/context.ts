/** What every section needs to look up: names of workers and jobs, paths of sources, display numbers, times. */
import { createHash } from 'node:crypto';
import type { AffectedJob, Analysis, Finding, JobStory, Ref, Worker } from '../model/analysis.js';
import { type ClockFace, clockFace } from './display-time.js';
import { CAPS, DEFAULT_COLUMNS, type ReportOptions } from './options.js';
import { code, linked, type Part, text } from './parts.js';
import { refText } from './ref-text.js';

export interface JobName {
  readonly queue?: string | undefined;
  readonly id: string;
}

export interface ReportContext {
  readonly analysis: Analysis;
  readonly clock: ClockFace;
  readonly columns: number;
  /** A reference as it is printed everywhere. */
  ref(ref: Ref): string;
  /** Short name of a worker, unique in this report. */
  worker(id: string | undefined): string;
  /** Name with the process id, for a first mention. */
  workerWithPid(id: string | undefined): string;
  story(job: JobName): JobStory | undefined;
  /** What the leading finding of a job says about it. */
  affected(job: JobName): AffectedJob | undefined;
  /** `F-1`, by the order of the analysis. */
  findingLabel(finding: Finding): string;
  /** Its label; a link where the page tells it in full. */
  findingPart(finding: Finding): Part;
  /** Name of a job; a link where the page tells its story. */
  jobPart(job: JobName): Part;
}

export const UNNAMED_WORKER = 'a worker that the evidence does not name';

/** Builds the lookups once for a report. @throws RangeError when the display zone is not known. */
export function reportContext(analysis: Analysis, options: ReportOptions = {}): ReportContext {
  const paths = new Map(analysis.sources.map((source) => [source.id, source.path]));
  const names = workerNames(analysis.workers);
  const workers = new Map(analysis.workers.map((worker) => [worker.id, worker]));
  const stories = new Map(analysis.stories.map((story) => [jobKey(story), story]));
  const affected = affectedJobs(analysis);
  const labels = new Map(analysis.findings.map((finding, index) => [finding, `F-${index + 1}`]));
  const findingLabel = (finding: Finding): string => labels.get(finding) ?? 'F-?';
  const toldFindings = new Set(analysis.findings.slice(0, CAPS.findings));
  const toldJobs = new Set(analysis.stories.slice(0, CAPS.stories).map(jobKey));
  const worker = (id: string | undefined): string => (id === undefined ? UNNAMED_WORKER : (names.get(id) ?? id));
  return {
    analysis,
    clock: clockFace(options.tz),
    columns: Math.max(60, options.columns ?? DEFAULT_COLUMNS),
    ref: (ref) => refText(ref, paths.get(ref.source) ?? ref.source),
    worker,
    workerWithPid: (id) => {
      const name = worker(id);
      const pid = id === undefined ? undefined : workers.get(id)?.pid;
      return pid === undefined || name.endsWith(`:${pid}`) ? name : `${name} (pid ${pid})`;
    },
    story: (job) => stories.get(jobKey(job)),
    affected: (job) => affected.get(jobKey(job)),
    findingLabel,
    findingPart: (finding) => {
      const label = text(findingLabel(finding));
      return toldFindings.has(finding) ? linked(label, findingAnchor(label.text)) : label;
    },
    jobPart: (job) => (toldJobs.has(jobKey(job)) ? linked(code(jobLabel(job)), jobAnchor(job)) : code(jobLabel(job))),
  };
}

function affectedJobs(analysis: Analysis): Map<string, AffectedJob> {
  const jobs = new Map<string, AffectedJob>();
  for (const job of analysis.findings.flatMap((finding) => finding.jobs)) {
    if (!jobs.has(jobKey(job))) jobs.set(jobKey(job), job);
  }
  return jobs;
}

/** Identity of a job: its id is unique in its queue only. */
export function jobKey(job: JobName): string {
  return JSON.stringify([job.queue ?? null, job.id]);
}

/** `reports:5`; the id alone where the queue is not known. */
export function jobLabel(job: JobName): string {
  return job.queue === undefined ? job.id : `${job.queue}:${job.id}`;
}

/** `finding-1`, from `F-1`. */
export function findingAnchor(label: string): string {
  return label.replace('F-', 'finding-');
}

/** Anchor of a job: a hash, since an id may hold anything. */
export function jobAnchor(job: JobName): string {
  return `job-${createHash('sha256').update(jobKey(job)).digest('hex').slice(0, 12)}`;
}

/** Names people know first (pod, host, application name), made unique by process id or by the full identity. */
function workerNames(workers: readonly Worker[]): Map<string, string> {
  const plain = (worker: Worker): string => worker.pod ?? worker.host ?? worker.name ?? worker.id;
  const withPid = (worker: Worker): string =>
    worker.pid === undefined ? plain(worker) : `${plain(worker)}:${worker.pid}`;
  const plainCounts = tally(workers.map(plain));
  const pidCounts = tally(workers.map(withPid));
  return new Map(
    workers.map((worker) => {
      if (plainCounts.get(plain(worker)) === 1) return [worker.id, plain(worker)];
      return [worker.id, pidCounts.get(withPid(worker)) === 1 ? withPid(worker) : worker.id];
    }),
  );
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
