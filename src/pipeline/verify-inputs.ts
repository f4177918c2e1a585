/**
 * Opens inputs a second time, by the way that the evidence itself was taken: packings come off, and each file in an archive is a
 * source of its own.
 */
import type { ExpandedInputs, InputFile, SourceName, Taken } from '../intake/index.js';
import { takeIn } from '../intake/index.js';
import type { Blocks, EvidenceSink, ReadReport, SourceReader } from '../model/evidence.js';
import { type Content, contentOf, withFileContent } from './verify-content.js';

/** Is given every source, by its path. What it leaves unread is read for the hash. */
export type OnSource = (path: string, content: Content) => Promise<void>;

const NOTHING: EvidenceSink = {
  event: () => undefined,
  fact: () => undefined,
  presence: () => undefined,
  settle: async () => undefined,
};

const REPORT: ReadReport = {
  ...{ kind: 'log', format: 'any', reason: 'opened again', records: 0, understood: 0 },
  ...{ damage: [], assumptions: [], unknownShapes: [] },
};

/** Bad input never throws: it is a problem. */
export async function openAgain(inputs: ExpandedInputs, onSource: OnSource): Promise<Taken> {
  let current = '';
  const reader: SourceReader = {
    name: 'any',
    detect: () => ({ format: 'any', score: 1, reason: 'opened again' }),
    async read(blocks: Blocks) {
      await onSource(current, contentOf(blocks));
      return REPORT;
    },
  };
  return takeIn(inputs, {
    readers: [reader],
    target: {
      has: () => false,
      async begin({ path }: SourceName) {
        current = path;
        return NOTHING;
      },
      finish: async () => undefined,
    },
  });
}

/** Reads `files` at their places alone where they are plain; `isPlain` tells. The rest is opened as a whole. */
export async function readAgain(
  files: readonly InputFile[],
  isPlain: (path: string) => boolean,
  onSource: OnSource,
): Promise<void> {
  const packed: InputFile[] = [];
  for (const file of files) {
    if (file.kind === 'file' && isPlain(file.path) && !(await isUtf16(file)))
      await withFileContent(file, (content) => onSource(file.path, content));
    else packed.push(file);
  }
  if (packed.length > 0) await openAgain({ files: packed, problems: [] }, onSource);
}

/** Offsets count in UTF-8. */
const isUtf16 = (file: InputFile & { kind: 'file' }): Promise<boolean> =>
  withFileContent(file, async (content) => {
    const mark = (await content.read(0, 2)).toString('hex');
    return mark === 'fffe' || mark === 'feff';
  });
