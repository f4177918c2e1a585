/** One line of progress on stderr while a terminal watches. */
import type { IntakeProgress } from '../intake/index.js';

export interface Progress {
  readonly update: (progress: IntakeProgress) => void;
  readonly done: () => void;
}

const EVERY_MS = 200;
const CLEAR_LINE = '\r\u001b[2K';

/** Undefined when nobody watches. */
export function createProgress(wanted: boolean): Progress | undefined {
  if (!wanted || process.stderr.isTTY !== true) return undefined;
  const startedAt = Date.now();
  let last = 0;
  return {
    update(progress) {
      const now = Date.now();
      if (now - last < EVERY_MS) return;
      last = now;
      const megabytes = progress.bytesRead / 1e6;
      const share = progress.totalBytes ? ` of ${(progress.totalBytes / 1e6).toFixed(1)}` : '';
      const seconds = ((now - startedAt) / 1000).toFixed(0);
      process.stderr.write(
        `${CLEAR_LINE}file ${progress.file}/${progress.files}: ${megabytes.toFixed(1)}${share} MB, ${seconds} s`,
      );
    },
    done() {
      process.stderr.write(CLEAR_LINE);
    },
  };
}
