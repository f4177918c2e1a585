/** Takes the evidence in: every file in the order of its path, one by one, into the case. */
import type { Packing, ReadOptions } from '../model/evidence.js';
import { takeArchive, type Within } from './archives/take-archive.js';
import type { ArchiveKind } from './containers.js';
import { detect, type IntakeReader } from './detect.js';
import type { Disk } from './disk.js';
import { type ForcedFormat, forcedFormatOf } from './forced-format.js';
import type { UnpackLimits } from './inflate-member.js';
import { type EntryInput, type ExpandedInputs, type InputFile, type InputProblem, showName } from './input.js';
import { type OpenedSource, openSource } from './open-source.js';
import { type Elsewhere, readSource } from './read-source.js';
import type { IntakeTarget, SourceName, TakenSource } from './target.js';

export interface IntakeProgress {
  readonly path: string;
  /** Bytes taken from the disk. */
  readonly bytesRead: number;
  /** Absent for the standard input. */
  readonly totalBytes?: number;
  readonly stage: 'open' | 'read' | 'store' | 'done';
  /** 1-based number of this file among `files`. */
  readonly file: number;
  readonly files: number;
}

export interface TakeInOptions {
  /** Zone of times that carry none. */
  readonly assumeTz?: string;
  /** Key prefix. */
  readonly prefix?: string;
  /** The job whose every write is to be told, in all readings of its name. */
  readonly askedJob?: ReadOptions['askedJob'];
  readonly formats?: readonly ForcedFormat[];
  /** What the team says of its own logs. */
  readonly config?: ReadOptions['config'];
  /** Rules for what was not understood are wanted, too. */
  readonly suggest?: boolean;
}

export interface TakeIn {
  readonly readers: readonly IntakeReader[];
  readonly target: IntakeTarget;
  readonly options?: TakeInOptions;
  /** What `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly onProgress?: (progress: IntakeProgress) => void;
  /** Stops between two blocks; `takeIn` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly disk?: Disk;
  readonly unpackLimits?: UnpackLimits;
  /** Readers in another thread, for inputs large enough to be worth it. */
  readonly elsewhere?: Elsewhere;
}

export interface Taken {
  /** In the order of their paths, the files of an archive before it; those of the same content as an earlier one are marked. */
  readonly sources: readonly TakenSource[];
  /** Of the inputs themselves, and of content that is not read. */
  readonly problems: readonly InputProblem[];
}

/**
 * Reads all inputs into the target. A bad input never stops the others; what rejects is only the target itself, or the
 * signal.
 *
 * Files are taken one by one. Where several belong together (the parts of an AOF), this loop is the place to hand them to
 * a reader as one: each keeps its own hash and path.
 */
export async function takeIn(inputs: ExpandedInputs, how: TakeIn): Promise<Taken> {
  const taking: Taking = {
    how,
    inputs: inputs.files,
    sources: [],
    problems: [...inputs.problems],
    pathOfContent: new Map(),
  };
  for (const [i, file] of inputs.files.entries()) {
    how.signal?.throwIfAborted();
    const tell = (stage: IntakeProgress['stage'], bytesRead: number): void =>
      how.onProgress?.({
        path: file.path,
        bytesRead,
        ...(file.kind === 'file' && { totalBytes: file.bytes }),
        stage,
        file: i + 1,
        files: inputs.files.length,
      });
    tell('open', 0);
    const opened = await openSource(file, { ...how, onBytes: (bytesRead) => tell('read', bytesRead) });
    if ('problem' in opened) {
      taking.problems.push(opened.problem);
      continue;
    }
    const { bytesRead } = opened.source;
    await takeSource(taking, file, opened.source, undefined, (stage) => tell(stage, bytesRead()));
    tell('done', bytesRead());
  }
  return { sources: taking.sources, problems: taking.problems };
}

interface Taking {
  readonly how: TakeIn;
  readonly inputs: readonly InputFile[];
  readonly sources: TakenSource[];
  readonly problems: InputProblem[];
  readonly pathOfContent: Map<string, string>;
}

/** Takes one source, and of an archive each of its files before it. False where it could not be read. */
async function takeSource(
  taking: Taking,
  file: InputFile | EntryInput,
  source: OpenedSource,
  within: Within | undefined,
  tell: (stage: 'store') => void,
): Promise<boolean> {
  const { how, sources, problems, pathOfContent } = taking;
  const { taken, problem } =
    source.archive === undefined
      ? await takeOne(file, source, within, how, besideManifest(file, taking.inputs))
      : await takeAll(taking, file, source, source.archive, within, tell);
  const content = taken.contentSha256 ?? taken.sha256;
  const sameAs = pathOfContent.get(content);
  const isKnown = sameAs !== undefined || how.target.has(taken.sha256) || how.target.has(content);
  // Two empty files are no doubled evidence, and saying that both are empty tells more.
  const isSkipped = isKnown && taken.report.kind !== 'empty';
  const result: TakenSource = isSkipped
    ? { ...taken, skipped: 'same-content', ...(sameAs !== undefined && { sameAs }) }
    : taken;
  tell('store');
  await how.target.finish(result);
  sources.push(result);
  if (sameAs === undefined) pathOfContent.set(content, file.path);
  if (problem !== undefined && !isSkipped) problems.push(problem);
  return problem === undefined;
}

async function takeAll(
  taking: Taking,
  file: InputFile | EntryInput,
  source: OpenedSource,
  archive: ArchiveKind,
  within: Within | undefined,
  tell: (stage: 'store') => void,
): Promise<{ taken: TakenSource; problem: InputProblem | undefined }> {
  const { how } = taking;
  const { disk, unpackLimits, signal } = how;
  try {
    const report = await takeArchive(archive, {
      file,
      source,
      within,
      ...(disk && { disk }),
      ...(unpackLimits && { unpackLimits }),
      ...(signal && { signal }),
      takeEntry: (entry, opened, inside) => takeSource(taking, entry, opened, inside, tell),
      onProblem: (problem) => taking.problems.push(problem),
    });
    // Its files have been taken one by one; the archive itself is a source without evidence, for its hash.
    await how.target.begin({ path: file.path, fileName: source.fileName });
    const { encoding: _, damage, ...summary } = await source.done();
    signal?.throwIfAborted();
    const packing = packingOf(within, source);
    const taken: TakenSource = {
      path: file.path,
      ...summary,
      report: { ...report, ...(packing && { packing }) },
      damage: [...damage, ...report.damage],
    };
    const why = taken.damage[0]?.what ?? 'it holds no file';
    return { taken, problem: report.records > 0 ? undefined : notRead(file, source, `${archive}: ${why}`) };
  } finally {
    await source.abandon();
  }
}

/** Packing of a source as the report gives it; undefined where there is none. */
function packingOf(within: Within | undefined, { compression }: OpenedSource): readonly Packing[] | undefined {
  const layers = [...(within?.packing ?? []), ...(compression === undefined ? [] : [{ kind: compression }])];
  return layers.length === 0 ? undefined : layers;
}

/** Names of the files in the folder of a manifest; undefined for any other file. */
function besideManifest(file: InputFile | EntryInput, inputs: readonly InputFile[]): ReadonlySet<string> | undefined {
  if (file.kind !== 'file' || !file.fileName.endsWith('.manifest')) return undefined;
  const folder = file.path.slice(0, -file.fileName.length);
  return new Set(inputs.flatMap((other) => (other.path === folder + other.fileName ? [other.fileName] : [])));
}

async function takeOne(
  file: InputFile | EntryInput,
  source: OpenedSource,
  within: Within | undefined,
  how: TakeIn,
  siblings: ReadonlySet<string> | undefined,
): Promise<{ taken: TakenSource; problem: InputProblem | undefined }> {
  const { fileName, modifiedMs } = source;
  const name: SourceName = { path: file.path, fileName, ...(modifiedMs !== undefined && { modifiedMs }) };
  const { assumeTz, prefix, askedJob, config, suggest, formats = [] } = how.options ?? {};
  const format = forcedFormatOf(name, formats);
  const options: ReadOptions = {
    fileName,
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(assumeTz !== undefined && { assumeTz }),
    ...(prefix !== undefined && { prefix }),
    ...(askedJob !== undefined && { askedJob }),
    ...(config !== undefined && { config }),
    ...(suggest !== undefined && { suggest }),
    ...(format !== undefined && { format }),
    ...(siblings !== undefined && { siblings }),
  };
  try {
    const sink = await how.target.begin(name);
    const detected = detect(source.head, fileName, how.readers, format);
    const elsewhere = isLarge(file) ? how.elsewhere : undefined;
    const { report, damage } = await readSource(source, detected, sink, options, elsewhere);
    const { encoding, damage: openDamage, ...summary } = await source.done();
    // An aborted feed looks like a file that ended: nothing of it may be taken for the truth.
    how.signal?.throwIfAborted();
    const reason = encoding === undefined ? report.reason : `${report.reason}; was ${encoding.toUpperCase()}`;
    const packing = packingOf(within, source);
    const taken: TakenSource = {
      path: file.path,
      ...summary,
      report: { ...report, reason, ...(packing && { packing }) },
      damage: [...openDamage, ...damage],
    };
    const isRead = source.refused === undefined && detected.kind !== 'unknown';
    return { taken, problem: isRead ? undefined : notRead(file, source, report.reason) };
  } finally {
    await source.abandon();
  }
}

/** Handing bytes and rows from thread to thread pays from about here on. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Known of files on the disk alone: what comes through a pipe or out of an archive may be of any size. */
export const isLarge = (file: InputFile | EntryInput): boolean => file.kind === 'file' && file.bytes >= LARGE_BYTES;

function notRead(file: InputFile | EntryInput, source: OpenedSource, reason: string): InputProblem {
  const what = `not read: ${showName(file.input)}: ${reason}`;
  const hint =
    source.refused === undefined ? 'leave it out, or name its format with --format' : 'then name what comes out';
  return { input: file.input, what, hint, named: file.named };
}
