/** The other side of `reading-thread.ts`: lets a reader read the blocks that come, and sends back the rows it makes. */
import { parentPort } from 'node:worker_threads';
import { createParcelSink, type ParcelSink } from '../casefile/parcels.js';
import { READERS } from '../intake/readers.js';
import type { FromReadingThread, ToReadingThread } from './messages.js';

type ReadMessage = Extract<ToReadingThread, { is: 'read' }>;

const port = parentPort;
if (port === null) throw new Error('reading-worker.js runs as a thread only');
// Rows are copied: once a thread has given memory away, V8 checks each access to any other, the reader's bytes among it.
const send = (message: FromReadingThread): void => port.postMessage(message);

/** Blocks that have come and were not taken up; undefined stands for the end. */
let waiting: (Uint8Array | undefined)[] = [];
let wake: () => void = () => undefined;

port.on('message', (message: ToReadingThread) => {
  if (message.is === 'read') {
    waiting = [];
    void read(message);
    return;
  }
  waiting.push(message.is === 'block' ? message.bytes : undefined);
  wake();
});

async function read({ reader: name, options }: ReadMessage): Promise<void> {
  try {
    const reader = READERS.find((one) => one.name === name);
    if (reader === undefined) throw new Error(`there is no reader ${name}`);
    const sink = await createParcelSink();
    const report = await reader.read(blocks(sink), sink, options);
    send({ is: 'done', parcels: sink.take(true), report });
  } catch (error) {
    send({ is: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

async function* blocks(sink: ParcelSink): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    while (waiting.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const block = waiting.shift();
    if (block === undefined) return;
    send({ is: 'next', parcels: sink.take() });
    yield block;
  }
}
