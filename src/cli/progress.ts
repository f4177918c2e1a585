/** One line of progress on stderr while a terminal watches: what is being done, how much of it, how fast, how long still. */
import type { IntakeProgress } from '../intake/index.js';

export interface Progress {
  readonly update: (progress: IntakeProgress) => void;
  readonly done: () => void;
}

const EVERY_MS = 200;
const CLEAR_LINE = '\r\u001b[2K';
/** A rate and what it promises mean nothing before this much time. */
const FIRST_RATE_MS = 1000;

/** Undefined when nobody watches. */
export function createProgress(wanted: boolean): Progress | undefined {
  if (!wanted || process.stderr.isTTY !== true) return undefined;
  let last = 0;
  let file = 0;
  let since = 0;
  return {
    update(progress) {
      const now = Date.now();
      if (progress.file !== file) [file, since] = [progress.file, now];
      if (now - last < EVERY_MS && !isLast(progress)) return;
      last = now;
      process.stderr.write(`${CLEAR_LINE}${progressText(progress, now - since)}`);
    },
    done() {
      process.stderr.write(CLEAR_LINE);
    },
  };
}

const isLast = ({ stage, file, files }: IntakeProgress): boolean => stage === 'done' && file === files;

/** @param ms since this file was begun */
export function progressText(progress: IntakeProgress, ms: number): string {
  const { stage, bytesRead, totalBytes, file, files } = progress;
  if (isLast(progress)) return `all ${files === 1 ? 'of it' : `${files} files`} read; judging`;
  const doing = stage === 'store' ? 'storing' : 'reading';
  const amount = `${megabytes(bytesRead)}${totalBytes === undefined ? '' : ` of ${megabytes(totalBytes)}`} MB`;
  const perMs = ms < FIRST_RATE_MS ? 0 : bytesRead / ms;
  const rate = perMs === 0 ? '' : `, ${(perMs / 1000).toFixed(1)} MB/s`;
  const left =
    perMs === 0 || totalBytes === undefined || totalBytes <= bytesRead
      ? ''
      : `, ${Math.ceil((totalBytes - bytesRead) / perMs / 1000)} s left`;
  return `${doing} file ${file} of ${files}: ${amount}${rate}${left}`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
