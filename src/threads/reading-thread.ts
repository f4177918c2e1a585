/**
 * Reads large sources in a thread of its own, while this one hashes the bytes and fills the case file.
 *
 * Blocks go over and rows come back as memory that changes hands, in the order in which they were made, so the case file is
 * the same as if the reader had worked here.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { READERS } from '../intake/readers.js';
import type { Blocks, EvidenceSink, Reader, ReadOptions, ReadReport } from '../model/evidence.js';
import type { FromReadingThread, ToReadingThread } from './messages.js';

/** Blocks under way to the thread: enough that it never waits, few enough to be no memory to speak of. */
const BLOCKS_AHEAD = 4;
/** From `src/threads` and from the `chunks` of what is built. */
const WORKER = new URL('../threads/reading-worker.js', import.meta.url);

export interface ReadingThread {
  /** The reader of this name, for one source at a time; undefined where the thread has none of that name. */
  readonly reader: (name: string) => Reader | undefined;
  close(): Promise<void>;
}

interface Running {
  readonly worker: Worker;
  /** Why it runs no longer. */
  readonly ended: Promise<Error>;
}

/**
 * A thread that does not keep the process alive while it has nothing to read. Null where the program was not built, as
 * in tests of the sources.
 */
export function openReadingThread(): ReadingThread | null {
  if (!existsSync(WORKER)) return null;
  let running: Running | undefined = start();
  const reader =
    (name: string): Reader =>
    async (blocks, sink, options) => {
      running ??= start();
      const { worker } = running;
      worker.ref();
      try {
        return await readIn(running, name, blocks, sink, options);
      } catch (error) {
        // What it does now nobody knows.
        running = undefined;
        await worker.terminate();
        throw error;
      } finally {
        worker.unref();
      }
    };
  return {
    reader: (name) => (READERS.some((one) => one.name === name) ? reader(name) : undefined),
    async close() {
      await running?.worker.terminate();
    },
  };
}

function start(): Running {
  const worker = new Worker(WORKER);
  worker.unref();
  const ended = new Promise<Error>((resolve) => {
    worker.on('error', resolve).on('messageerror', resolve);
    worker.on('exit', (code) => resolve(new Error(`the reading thread ended with code ${code}`)));
  });
  return { worker, ended };
}

async function readIn(
  { worker, ended }: Running,
  reader: string,
  blocks: Blocks,
  sink: EvidenceSink,
  options: ReadOptions,
): Promise<ReadReport> {
  const send = (message: ToReadingThread, transfer: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, transfer);
  const source = blocks[Symbol.asyncIterator]();
  let isOver = false;
  let sending = Promise.resolve();
  const sendBlock = async (): Promise<void> => {
    if (isOver) return;
    const { done, value } = await source.next();
    if (done === true) {
      isOver = true;
      send({ is: 'end' });
    } else {
      const bytes = ownMemory(value);
      send({ is: 'block', bytes }, [bytes.buffer]);
    }
  };
  const answers = new AbortController();
  try {
    return await new Promise<ReadReport>((resolve, reject) => {
      const sendNext = (): void => {
        sending = sending.then(sendBlock).catch(reject);
      };
      const take = (message: FromReadingThread): void => {
        try {
          if (message.is === 'failed') throw message.error;
          for (const parcel of message.parcels) sink.adopt?.(parcel);
          if (message.is === 'done') resolve(message.report);
          else sendNext();
        } catch (error) {
          reject(error);
        }
      };
      worker.on('message', take);
      answers.signal.addEventListener('abort', () => worker.off('message', take));
      void ended.then(reject);
      send({ is: 'read', reader, options });
      for (let i = 0; i < BLOCKS_AHEAD; i++) sendNext();
    });
  } finally {
    answers.abort();
    isOver = true;
    await sending;
    await source.return?.();
  }
}

/** The same bytes alone in their memory, which can then change hands. */
function ownMemory(block: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = block;
  return buffer instanceof ArrayBuffer && block.byteLength === buffer.byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(block);
}
