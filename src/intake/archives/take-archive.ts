/**
 * Goes through the files of an archive: each becomes a source of its own, called `logs.zip!/worker-1.log`. Nothing is written to
 * the disk, names are labels only, and what an archive may grow to is bounded for the input as a whole.
 */
import type { Damage, Packing, ReadLimit, ReadReport } from '../../model/evidence.js';
import type { ArchiveKind } from '../containers.js';
import { oneLine } from '../detect.js';
import { type Disk, nodeDisk } from '../disk.js';
import { UNPACK_LIMITS } from '../gunzip.js';
import type { UnpackLimits } from '../inflate-member.js';
import { type EntryInput, type InputFile, type InputProblem, showName } from '../input.js';
import { type OpenedSource, openEntry } from '../open-source.js';
import { type Allowance, createAllowance } from './allowance.js';
import { type ArchiveEntry, type ArchiveNotes, innerPath, leftOut } from './entry.js';
import { collectRandomAccess, MAX_IN_MEMORY, openRandomAccess, type RandomAccess } from './random-access.js';
import { tarEntries } from './tar-entries.js';
import { zipEntries } from './zip-entries.js';

/** What lies around a source: the archives it is in. */
export interface Within {
  readonly packing: readonly Packing[];
  readonly allowance: Allowance;
  /** Archives it is in. */
  readonly depth: number;
}

/** An archive may lie in another; a third is refused: nobody packs evidence so, and bombs are made of it. */
const MAX_DEPTH = 2;
const REFUSED_DEPTH = 'is an archive in an archive in an archive, which is not read; unpack it first';

export interface TakeArchive {
  readonly file: InputFile | EntryInput;
  readonly source: OpenedSource;
  readonly within: Within | undefined;
  readonly disk?: Disk;
  readonly unpackLimits?: UnpackLimits;
  readonly signal?: AbortSignal;
  /** Takes one of its files in; false where that could not be read. */
  takeEntry(file: EntryInput, source: OpenedSource, within: Within): Promise<boolean>;
  onProblem(problem: InputProblem): void;
}

/** The report on the archive itself; its files have been taken by then. Rejects only where `takeEntry` does. */
export async function takeArchive(archive: ArchiveKind, how: TakeArchive): Promise<ReadReport> {
  const { file, source, within, signal } = how;
  const layers: readonly Packing[] = [
    ...(within?.packing ?? []),
    ...(source.compression === undefined ? [] : [{ kind: source.compression }]),
  ];
  const depth = (within?.depth ?? 0) + 1;
  const packedBytes = (): number => (file.kind === 'file' ? file.bytes : source.bytesRead());
  const allowance = within?.allowance ?? createAllowance(how.unpackLimits ?? UNPACK_LIMITS, packedBytes);
  const notes: ArchiveNotes = { damage: [], links: 0 };
  const name = createNamer(file);
  let files = 0;
  let read = 0;
  let hidden = 0;

  for await (const entry of entriesOf(archive, how, notes)) {
    signal?.throwIfAborted();
    const out = leftOut(entry.name);
    if (out === 'said') hidden++;
    if (out !== undefined) continue;
    files++;
    if (!allowance.enter()) break;
    const { input, nth } = name(entry.name);
    if (entry.refused !== undefined) {
      const what = `not read: ${showName(input.input)}: ${entry.refused}`;
      notes.damage.push({ what: `${innerPath(entry.name)}: ${entry.refused}` });
      how.onProblem({ input: input.input, what, hint: 'then name what comes out', named: false });
      continue;
    }
    const inside: Within = {
      packing: [...layers, { kind: archive, entry: entry.name, ...(nth > 1 && { nth }) }],
      allowance,
      depth,
    };
    const opened = await openEntry(input, bounded(entry, allowance), {
      allowance,
      ...(how.unpackLimits && { unpackLimits: how.unpackLimits }),
      ...(signal && { signal }),
      ...(depth >= MAX_DEPTH && { refuseArchives: REFUSED_DEPTH }),
    });
    if (await how.takeEntry(input, opened, inside)) read++;
    if (allowance.exceeded() !== undefined) break;
  }
  const report: ReadReport = {
    kind: 'archive',
    format: archive,
    reason: `is a ${archive}${source.compression === undefined ? '' : ` packed with ${source.compression}`}: ${files === 1 ? 'the file in it is a source of its own' : `the ${files} files in it are sources of their own`}`,
    records: files,
    understood: read,
    damage: notes.damage,
    limits: limitsOf(allowance, hidden, notes.links),
    assumptions: [],
    unknownShapes: [],
  };
  return report;
}

async function* entriesOf(
  archive: ArchiveKind,
  { file, source, disk = nodeDisk }: TakeArchive,
  notes: ArchiveNotes,
): AsyncGenerator<ArchiveEntry, void> {
  const blocks = source.blocks[Symbol.asyncIterator]();
  const next = async (): Promise<Uint8Array | undefined> => (await blocks.next()).value ?? undefined;
  if (archive === 'tar') {
    yield* tarEntries(next, notes);
    return;
  }
  let access: RandomAccess | undefined;
  try {
    access =
      file.kind === 'file' && source.compression === undefined
        ? await openRandomAccess(disk, file.diskPath)
        : await collectRandomAccess(next);
  } catch (error) {
    notes.damage.push({ what: `the zip could not be read (${oneLine(error)})` });
    return;
  }
  if (access === undefined) {
    const what = `is a zip of more than ${MAX_IN_MEMORY / 1024 ** 2} MiB that comes in through another packing, which is not read; unpack it first`;
    notes.damage.push({ what });
    return;
  }
  try {
    yield* zipEntries(access, notes);
  } finally {
    await access.close();
  }
}

/** The same entry; gives no more once the archive has grown too much. */
function bounded(entry: ArchiveEntry, allowance: Allowance): ArchiveEntry {
  const cut: Damage[] = [];
  return {
    ...entry,
    // Both go on growing while the entry is read.
    get damage() {
      return [...entry.damage, ...cut];
    },
    async next() {
      const block = await entry.next();
      if (block === undefined || allowance.spend(block.length)) return block;
      cut.push({ what: `not read any further: the archive is too large (${allowance.exceeded()})` });
      return undefined;
    },
  };
}

/** Paths by which the files are called, each once; `nth`: the place among those of one name. */
function createNamer(archive: InputFile | EntryInput): (name: string) => { input: EntryInput; nth: number } {
  const times = new Map<string, number>();
  const used = new Set<string>();
  return (name) => {
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    const inner = innerPath(name);
    let unique = inner;
    for (let n = 2; used.has(unique); n++) unique = `${inner} (${n})`;
    used.add(unique);
    const fileName = inner.slice(inner.lastIndexOf('/') + 1);
    const input: EntryInput = {
      kind: 'entry',
      path: `${archive.path}!/${unique}`,
      fileName,
      input: `${archive.input}!/${unique}`,
      named: false,
    };
    return { input, nth };
  };
}

function limitsOf(allowance: Allowance, hidden: number, links: number): ReadLimit[] {
  const limits: ReadLimit[] = [];
  const exceeded = allowance.exceeded();
  if (exceeded !== undefined)
    limits.push({
      what: 'archive not read to its end',
      detail: `${exceeded}: what comes after was not read; unpack it and name the folder, if it can be trusted`,
    });
  if (hidden > 0)
    limits.push({
      what: 'files left out',
      detail: `${hidden} hidden ${hidden === 1 ? 'file' : 'files'} in the archive`,
    });
  if (links > 0)
    limits.push({
      what: 'links left out',
      detail: `${links} ${links === 1 ? 'link or device' : 'links or devices'} in the archive: a link is followed nowhere`,
    });
  return limits;
}
