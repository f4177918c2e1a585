/** Takes the evidence in: every file in the order of its path, one by one, into the case. */
import type { ReadOptions } from '../model/evidence.js';
import { detect, type IntakeReader } from './detect.js';
import type { Disk } from './disk.js';
import { type ForcedFormat, forcedFormatOf } from './forced-format.js';
import type { UnpackLimits } from './inflate-member.js';
import { type ExpandedInputs, type InputFile, type InputProblem, showName } from './input.js';
import { type OpenedSource, openSource } from './open-source.js';
import { readSource } from './read-source.js';
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
}

export interface Taken {
  /** In the order of their paths; those of the same content as an earlier one are marked. */
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
  const sources: TakenSource[] = [];
  const problems = [...inputs.problems];
  const pathOfContent = new Map<string, string>();
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
      problems.push(opened.problem);
      continue;
    }
    const { taken, problem } = await takeOne(file, opened.source, how);
    const content = taken.contentSha256 ?? taken.sha256;
    const sameAs = pathOfContent.get(content);
    const isKnown = sameAs !== undefined || how.target.has(taken.sha256) || how.target.has(content);
    // Two empty files are no doubled evidence, and saying that both are empty tells more.
    const isSkipped = isKnown && taken.report.kind !== 'empty';
    const result: TakenSource = isSkipped
      ? { ...taken, skipped: 'same-content', ...(sameAs !== undefined && { sameAs }) }
      : taken;
    tell('store', taken.bytes);
    await how.target.finish(result);
    sources.push(result);
    if (sameAs === undefined) pathOfContent.set(content, file.path);
    if (problem !== undefined && !isSkipped) problems.push(problem);
    tell('done', taken.bytes);
  }
  return { sources, problems };
}

async function takeOne(
  file: InputFile,
  source: OpenedSource,
  how: TakeIn,
): Promise<{ taken: TakenSource; problem: InputProblem | undefined }> {
  const { fileName, modifiedMs } = source;
  const name: SourceName = { path: file.path, fileName, ...(modifiedMs !== undefined && { modifiedMs }) };
  const { assumeTz, prefix, askedJob, formats = [] } = how.options ?? {};
  const format = forcedFormatOf(name, formats);
  const options: ReadOptions = {
    fileName,
    ...(modifiedMs !== undefined && { modifiedMs }),
    ...(assumeTz !== undefined && { assumeTz }),
    ...(prefix !== undefined && { prefix }),
    ...(askedJob !== undefined && { askedJob }),
    ...(format !== undefined && { format }),
  };
  try {
    const sink = await how.target.begin(name);
    const detected = detect(source.head, fileName, how.readers, format);
    const { report, damage } = await readSource(source, detected, sink, options);
    const { encoding, damage: openDamage, ...summary } = await source.done();
    // An aborted feed looks like a file that ended: nothing of it may be taken for the truth.
    how.signal?.throwIfAborted();
    const reason = encoding === undefined ? report.reason : `${report.reason}; was ${encoding.toUpperCase()}`;
    const taken = { path: file.path, ...summary, report: { ...report, reason }, damage: [...openDamage, ...damage] };
    const isRead = source.refused === undefined && detected.kind !== 'unknown';
    return { taken, problem: isRead ? undefined : notRead(file, source, report.reason) };
  } finally {
    await source.abandon();
  }
}

function notRead(file: InputFile, source: OpenedSource, reason: string): InputProblem {
  const what = `not read: ${showName(file.input)}: ${reason}`;
  const hint =
    source.refused === undefined ? 'leave it out, or name its format with --format' : 'then name what comes out';
  return { input: file.input, what, hint, named: file.named };
}
