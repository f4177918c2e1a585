/**
 * Which log identities are one process, and where one process ends and the next begins.
 *
 * A pid with its host names a process. Without a host the source is part of the name, because every container counts its
 * pids from one. Where no pid is printed (or one that a container would reuse), a second `ready` of the worker after job
 * lines is a restart, unless the connection to Redis was lost in between: BullMQ says `ready` again after a reconnect.
 */
import type { StoredProcess } from '../model/stored.js';

/** A `ready` line that follows job lines of the same process with no lost connection in between. */
export interface BootMark {
  readonly process: number;
  readonly line: number;
}

export interface WorkerIdentity {
  readonly id: string;
  readonly host?: string;
  readonly pid?: number;
  readonly pod?: string;
  readonly name?: string;
  readonly sources: readonly string[];
  /** Which lines of which process rows belong to this worker: `from` inclusive, `to` exclusive. */
  readonly parts: readonly { readonly process: number; readonly from: number; readonly to: number }[];
}

/** A container's first processes have pids like 1, 7 or 17, and the restarted container has the same ones. */
const REUSED_PID_BELOW = 100;
const END = 2_147_483_647;

interface Draft {
  readonly members: StoredProcess[];
  readonly life: number;
  readonly from: number;
  readonly to: number;
}

const keyOf = (p: StoredProcess): string => {
  if (p.pid !== undefined && (p.host ?? p.container) !== undefined)
    return JSON.stringify(['pid', p.host ?? p.container, p.pid]);
  if (p.pid !== undefined) return JSON.stringify(['pid-in', p.source.path, p.pid]);
  if (p.container !== undefined) return JSON.stringify(['container', p.container]);
  if (p.host !== undefined) return JSON.stringify(['host', p.host, p.name ?? '', p.source.path]);
  if (p.name !== undefined) return JSON.stringify(['name', p.name, p.source.path]);
  return JSON.stringify(['source', p.source.path]);
};

/** Joins process rows into workers, in the order of their sources. */
export function joinWorkers(processes: readonly StoredProcess[], boots: readonly BootMark[]): WorkerIdentity[] {
  const groups = new Map<string, StoredProcess[]>();
  for (const process of processes) {
    const group = groups.get(keyOf(process));
    if (group) group.push(process);
    else groups.set(keyOf(process), [process]);
  }
  absorbNameless(groups);

  const drafts: Draft[] = [];
  for (const members of groups.values()) {
    const splittable = members.every((p) => p.pid === undefined || (p.host === undefined && p.pid < REUSED_PID_BELOW));
    const sources = new Set(members.map((p) => p.source.path));
    const lines =
      splittable && sources.size === 1
        ? [...new Set(boots.filter((b) => members.some((p) => p.id === b.process)).map((b) => b.line))].sort(
            (a, b) => a - b,
          )
        : [];
    const cuts = [0, ...lines, END];
    for (let life = 0; life + 1 < cuts.length; life++)
      drafts.push({ members, life, from: cuts[life] ?? 0, to: cuts[life + 1] ?? END });
  }
  return nameWorkers(drafts);
}

/**
 * Lines of a source that name nobody belong to its only process, when it has just one; lines that name a container only, to
 * the only process in it. Stacks and console lines do not tell more, and in an export they may come before those that do.
 */
function absorbNameless(groups: Map<string, StoredProcess[]>): void {
  for (const [key, members] of [...groups]) {
    const first = members[0];
    const isContainer = key.startsWith('["container"');
    if (first === undefined || !(isContainer || key.startsWith('["source"'))) continue;
    const others = [...groups].filter(
      ([other, group]) =>
        other !== key &&
        group.some((p) => p.source === first.source && (!isContainer || p.container === first.container)),
    );
    const only = others.length === 1 ? others[0] : undefined;
    if (only === undefined) continue;
    only[1].push(...members);
    groups.delete(key);
  }
}

const stemOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(?:\.(?:log|txt|json|jsonl|ndjson|out|gz|\d+))+$/i, '') || name;
};

const firstOf = <T>(members: readonly StoredProcess[], pick: (p: StoredProcess) => T | undefined): T | undefined =>
  members.map(pick).find((value) => value !== undefined);

function nameWorkers(drafts: readonly Draft[]): WorkerIdentity[] {
  const described = drafts.map((draft) => {
    const host = firstOf(draft.members, (p) => p.host);
    const pid = firstOf(draft.members, (p) => p.pid);
    const pod = firstOf(draft.members, (p) => p.container);
    const name = firstOf(draft.members, (p) => p.name);
    const sources = [...new Set(draft.members.map((p) => p.source.path))].sort();
    const stem = stemOf(sources[0] ?? '');
    const life = draft.life > 0 ? ` (life ${draft.life + 1})` : '';
    const plain = [host, pod, name, stem].filter((c) => c !== undefined);
    const candidates = [...plain, ...plain.map((c) => (pid === undefined ? c : `${c}#${pid}`)), sources[0] ?? stem];
    return { draft, host, pid, pod, name, sources, candidates: candidates.map((c) => `${c}${life}`) };
  });
  const uses = new Map<string, number>();
  for (const { candidates } of described)
    for (const candidate of new Set(candidates)) uses.set(candidate, (uses.get(candidate) ?? 0) + 1);
  const taken = new Set<string>();
  return described.map(({ draft, host, pid, pod, name, sources, candidates }) => {
    let id = candidates.find((candidate) => uses.get(candidate) === 1 && !taken.has(candidate));
    for (let n = 2; id === undefined; n++) {
      const numbered = `${candidates.at(-1)} (${n})`;
      if (!taken.has(numbered)) id = numbered;
    }
    taken.add(id);
    return {
      id,
      ...(host === undefined ? {} : { host }),
      ...(pid === undefined ? {} : { pid }),
      ...(pod === undefined ? {} : { pod }),
      ...(name === undefined ? {} : { name }),
      sources,
      parts: draft.members.map((p) => ({ process: p.id, from: draft.from, to: draft.to })),
    };
  });
}
