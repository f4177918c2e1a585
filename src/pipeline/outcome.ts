/** What follows from the findings as a whole: totals, how workers ended, which evidence to look for next. */
import type { Analysis, Finding, Source, Worker } from '../model/analysis.js';

type Totals = Pick<Analysis['totals'], 'affected' | 'overlapping' | 'sequential' | 'possible'>;

/** Jobs, each once, with their gravest duplicate verdict. Harmless findings do not count. */
export function totalsOf(findings: readonly Finding[]): Totals {
  const gravest = new Map<string, Finding['jobs'][number]['duplicate']>();
  const order = ['none', 'unknown', 'possible', 'sequential', 'overlapping'];
  for (const finding of findings.filter(({ boundary }) => boundary !== 'none'))
    for (const job of finding.jobs) {
      const key = `${job.queue ?? ''}\u0000${job.id}`;
      const known = gravest.get(key);
      if (known === undefined || order.indexOf(job.duplicate) > order.indexOf(known)) gravest.set(key, job.duplicate);
    }
  const count = (duplicate: string): number => [...gravest.values()].filter((value) => value === duplicate).length;
  return {
    affected: gravest.size,
    overlapping: count('overlapping'),
    sequential: count('sequential'),
    possible: count('possible'),
  };
}

/** A worker that a finding shows as killed or exited is called so. */
export function withEnds(
  workers: readonly Worker[],
  verdicts: readonly Pick<Finding, 'worker' | 'status' | 'cause'>[],
): Worker[] {
  return workers.map((worker) => {
    const ends = verdicts.filter(
      (finding) => finding.worker === worker.id && (finding.status === 'shown' || finding.status === 'likely'),
    );
    if (worker.ended === 'closed') return worker;
    if (ends.some((finding) => finding.cause === 'process-killed')) return { ...worker, ended: 'killed' };
    if (ends.some((finding) => finding.cause === 'uncaught-exception' || finding.cause === 'shutdown-without-close'))
      return { ...worker, ended: 'exited' };
    return worker;
  });
}

/** What would decide open questions, and the classes of evidence that are missing altogether. */
export function nextEvidence(findings: readonly Finding[], sources: readonly Source[]): Analysis['nextEvidence'] {
  const wanted = new Map<string, Set<string>>();
  for (const finding of findings)
    for (const what of finding.wouldDecide) wanted.set(what, (wanted.get(what) ?? new Set()).add(finding.id));
  const has = (kind: string): boolean => sources.some((source) => source.kind === kind && source.events > 0);
  const all = findings.map((finding) => finding.id);
  if (!has('redis'))
    wanted.set(
      'A copy of dump.rdb or an XRANGE of the events stream: what Redis recorded, on its own clock',
      new Set(all),
    );
  if (!has('log'))
    wanted.set(
      'The logs of the workers: who ran a job, when its handler returned, and which errors it met',
      new Set(all),
    );
  return [...wanted].map(([what, decides]) => ({ what, decides: [...decides].sort() }));
}
