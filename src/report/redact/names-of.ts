/** Every name of an analysis that may tell whose system it was, with its pseudonym. */
import type { Analysis } from '../../model/analysis.js';
import type { NameKind, Pseudonyms } from './pseudonyms.js';

/** Names and what stands for them; an id that is a number stays as it is. */
export type Names = ReadonlyMap<string, string>;

const NUMBER = /^\d{1,19}$/;

export function namesOf(analysis: Analysis, pseudonyms: Pseudonyms): Names {
  const names = new Map<string, string>();
  const add = (kind: NameKind, name: string | undefined): void => {
    if (name === undefined || name === '' || NUMBER.test(name) || names.has(name)) return;
    names.set(name, pseudonyms.of(kind, name));
  };
  for (const queue of queuesOf(analysis)) {
    add('queue', queue);
    // In keys and in a log the queue stands without its database, and behind its prefix.
    add('queue', queue.replace(/ \[db \d+\]$/, ''));
  }
  for (const id of jobIdsOf(analysis)) add('job', id);
  for (const { name } of analysis.stories) add('jobname', name);
  for (const { jobName } of analysis.exposure) add('jobname', jobName);
  for (const { host, pod, name, tokenPrefixes } of analysis.workers) {
    add('host', host);
    add('pod', pod);
    add('worker', name);
    for (const token of tokenPrefixes) add('token', token);
  }
  for (const { token } of analysis.stories.flatMap(({ executions }) => executions)) add('token', prefixOf(token));
  for (const { lockAtSnapshot } of analysis.stories) add('token', prefixOf(lockAtSnapshot?.token));
  for (const source of analysis.sources) add('path', source.path);
  for (const key of analysis.records?.keys ?? []) {
    add('key', key.key);
    add('key', key.scope);
    for (const { worker } of key.shown) add('worker', worker);
  }
  addWorkers(analysis, names, add);
  return names;
}

/** Ids of workers are made of names that are known by now, a process id and the like: what is known in them is kept apart. */
function addWorkers(analysis: Analysis, names: Map<string, string>, add: (kind: NameKind, name: string) => void): void {
  for (const { id, tokenPrefixes } of analysis.workers) {
    const token = tokenPrefixes.find((prefix) => prefix.startsWith(id));
    const own = names.get(token ?? '');
    if (own !== undefined && !names.has(id)) names.set(id, own);
    else add('worker', id);
  }
}

const prefixOf = (token: string | undefined): string | undefined => token?.split(':', 1)[0];

function queuesOf(analysis: Analysis): string[] {
  return [
    ...analysis.stories,
    ...analysis.findings.flatMap(({ jobs }) => jobs),
    ...analysis.exposure,
    ...(analysis.liveWorkers ?? []),
    ...(analysis.scaling ?? []),
    ...(analysis.records?.queues ?? []),
    ...(analysis.records?.keys ?? []),
    ...(analysis.at === undefined ? [] : [analysis.at]),
  ]
    .flatMap(({ queue }) => queue ?? [])
    .concat(
      analysis.workers.flatMap(({ queues }) => queues),
      analysis.settings.flatMap(({ name, value }) => (name.startsWith('queue of') ? String(value) : [])),
      (analysis.observed ?? []).flatMap(({ scope }) => (scope === 'Redis' ? [] : scope)),
    );
}

function jobIdsOf(analysis: Analysis): string[] {
  return [
    ...analysis.stories.map(({ id }) => id),
    ...analysis.findings.flatMap(({ jobs }) => jobs.map(({ id }) => id)),
    ...(analysis.records?.keys ?? []).flatMap(({ jobs, shown }) => [...jobs, ...shown.flatMap(({ job }) => job ?? [])]),
    ...(analysis.at === undefined ? [] : [analysis.at.job]),
  ];
}
