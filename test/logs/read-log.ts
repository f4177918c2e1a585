import { logReader } from '../../src/logs/index.js';
import type { EvidenceEvent, PresenceSpan } from '../../src/model/event.js';
import type { ReadOptions, ReadReport } from '../../src/model/evidence.js';

export interface ReadLog {
  readonly events: EvidenceEvent[];
  readonly presence: PresenceSpan[];
  readonly report: ReadReport;
}

export const FILE_DATE = Date.UTC(2024, 0, 20);

/** Reads bytes as a log source, in blocks of the given sizes (the last size repeats). */
export async function readBytes(
  bytes: Uint8Array,
  options: Partial<ReadOptions> = {},
  sizes: readonly number[] = [65_536],
): Promise<ReadLog> {
  const events: EvidenceEvent[] = [];
  const presence: PresenceSpan[] = [];
  const report = await logReader.read(
    blocksOf(bytes, sizes),
    {
      event: (event) => events.push(event),
      fact: () => {
        throw new Error('a log gives no facts');
      },
      presence: (span) => presence.push(span),
      settle: async () => {},
    },
    { fileName: 'worker.log', modifiedMs: FILE_DATE, ...options },
  );
  return { events, presence, report };
}

export function readText(
  text: string,
  options: Partial<ReadOptions> = {},
  sizes?: readonly number[],
): Promise<ReadLog> {
  return readBytes(new TextEncoder().encode(text), options, sizes);
}

async function* blocksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = Math.max(1, sizes[Math.min(n, sizes.length - 1)] ?? bytes.length);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
