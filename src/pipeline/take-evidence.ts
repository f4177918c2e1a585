/** Takes evidence into a case file; large inputs are read in a thread of their own. */
import type { CaseFile } from '../casefile/case-file.js';
import {
  type ExpandedInputs,
  type ForcedFormat,
  type IntakeProgress,
  isLarge,
  READERS,
  type Taken,
  takeIn,
} from '../intake/index.js';
import { readAskedJob } from '../model/asked-job.js';
import type { Config } from '../model/config.js';
import { openReadingThread, type ReadingThread } from '../threads/reading-thread.js';
import type { Selection } from './selection.js';

export interface TakeEvidenceOptions {
  readonly assumeTz?: string;
  readonly prefix?: string;
  readonly formats?: readonly ForcedFormat[];
  /** What the team says of its own logs. */
  readonly config?: Config;
  /** Rules for what logs say and was not understood are wanted, too. */
  readonly suggest?: boolean;
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly onProgress?: (progress: IntakeProgress) => void;
  readonly signal?: AbortSignal;
  /** Which findings and stories to tell; absent: all. */
  readonly selection?: Selection;
}

/** A thread for inputs that are worth it. Opened before the case file, it is ready when that is. */
export const threadFor = (inputs: ExpandedInputs): ReadingThread | null =>
  inputs.files.some(isLarge) ? openReadingThread() : null;

/**
 * Bad input never throws: it is a problem, or a damage of its source. The thread is closed.
 *
 * @param thread null: reads in this one.
 */
export async function takeEvidence(
  inputs: ExpandedInputs,
  file: CaseFile,
  options: TakeEvidenceOptions,
  thread: ReadingThread | null = threadFor(inputs),
): Promise<Taken> {
  try {
    if (inputs.files.length === 0) return { sources: [], problems: inputs.problems };
    return await takeIn(inputs, {
      readers: READERS,
      target: file,
      options: {
        ...(options.assumeTz === undefined ? {} : { assumeTz: options.assumeTz }),
        ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
        ...(options.formats === undefined ? {} : { formats: options.formats }),
        ...(options.config === undefined ? {} : { config: options.config }),
        ...(options.suggest === undefined ? {} : { suggest: options.suggest }),
        // The writes to one job's keys are kept only where somebody asks what they were at a moment.
        ...(options.selection?.job === undefined || options.selection.atMs === undefined
          ? {}
          : { askedJob: readAskedJob(options.selection.job) }),
      },
      ...(options.stdin ? { stdin: options.stdin } : {}),
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      ...(thread ? { elsewhere: thread.reader } : {}),
    });
  } finally {
    await thread?.close();
  }
}
