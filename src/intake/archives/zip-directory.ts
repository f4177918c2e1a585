/** The directory of a zip, read with yauzl. Names are decoded here: yauzl gives up the whole zip for one bad name. */
import type { Entry, ZipFile } from 'yauzl';
import type { RandomAccess } from './random-access.js';

export interface ZipDirectory {
  /** In the order of the directory. Rejects where it is damaged. */
  entries(): AsyncIterable<{ readonly entry: Entry; readonly name: string }>;
  /** Where the data of a file begins. */
  dataStart(entry: Entry): Promise<number>;
}

/** @throws Error where the directory is not found */
export async function readZipDirectory(access: RandomAccess): Promise<ZipDirectory> {
  const { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } = await import('yauzl');

  class Reader extends RandomAccessReader {
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      access.read(position, length).then(
        (bytes) => {
          if (bytes.length < length) return callback(new Error('it ends where more is promised'));
          bytes.copy(buffer, offset);
          callback(null);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    }
  }

  const zip: ZipFile = await fromRandomAccessReaderPromise(new Reader(), access.size, {
    decodeStrings: false,
    // Sizes are checked where the data is read: a wrong one is damage of one file, not of all.
    validateEntrySizes: false,
    autoClose: false,
  });
  return {
    async *entries() {
      for await (const entry of zip.eachEntry()) {
        const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
        yield { entry, name: getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false) };
      }
    },
    dataStart: async (entry) => (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart,
  };
}
