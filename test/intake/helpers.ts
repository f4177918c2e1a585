/** Real folders, readers and a target small enough to see through. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { IntakeTarget, SourceName, TakenSource } from '../../src/intake/index.js';
import {
  type DiskFile,
  type InputFile,
  type OpenedSource,
  type OpenOptions,
  openSource,
} from '../../src/intake/index.js';
import type { EvidenceEvent } from '../../src/model/event.js';
import type { SourceReader } from '../../src/model/evidence.js';

const made: string[] = [];
const opened: OpenedSource[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.abandon();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that holds these files, gone after the test. */
export function folderWith(files: Record<string, string | Uint8Array> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'intake-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export function fileAt(absolutePath: string, more: Partial<DiskFile> = {}): DiskFile {
  const fileName = absolutePath.split('/').at(-1) ?? '';
  return {
    kind: 'file',
    path: fileName,
    fileName,
    input: fileName,
    absolutePath,
    diskPath: absolutePath,
    bytes: 0,
    modifiedMs: 0,
    named: true,
    ...more,
  };
}

/** Opens a file; it is closed after the test. */
export async function openFile(file: InputFile, options: OpenOptions = {}): Promise<OpenedSource> {
  const result = await openSource(file, options);
  if ('problem' in result) throw new Error(result.problem.what);
  opened.push(result.source);
  return result.source;
}

/** Opens content as a file called `name`. */
export const openContent = (content: Uint8Array | string, name = 'x.log', options: OpenOptions = {}) =>
  openFile(fileAt(join(folderWith({ [name]: content }), name)), options);

export async function readAll(blocks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const block of blocks) pieces.push(block);
  return Buffer.concat(pieces);
}

/** An event for every line; a line `BOOM` makes it throw, a line `STOP` makes it leave the rest unread. */
export const lineReader: SourceReader = {
  name: 'log',
  detect: (head) => (head.includes(0) ? undefined : { format: 'lines', score: 0.1, reason: 'is text' }),
  async read(blocks, sink) {
    const decoder = new TextDecoder();
    let rest = '';
    let line = 0;
    read: for await (const block of blocks) {
      const lines = (rest + decoder.decode(block, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        if (text === 'BOOM') throw new TypeError('x is not a function\nat somewhere');
        if (text === 'STOP') break read;
        sink.event({
          kind: 'handler-line',
          clock: 'worker',
          precision: 'none',
          line: ++line,
          offset: -1,
          data: { text },
        });
      }
      await sink.settle();
    }
    return reportOf('log', 'lines', line);
  },
};

/** Claims what begins with REDIS and counts its bytes. */
export const rdbReader: SourceReader = {
  name: 'rdb',
  detect: (head) =>
    Buffer.from(head.subarray(0, 5)).toString() === 'REDIS'
      ? { format: 'rdb', score: 1, reason: 'starts with the bytes REDIS' }
      : undefined,
  read: async (blocks) => reportOf('redis', 'rdb', (await readAll(blocks)).length),
};

export function reportOf(kind: 'log' | 'redis', format: string, records: number) {
  return {
    kind,
    format,
    reason: 'test',
    records,
    understood: records,
    damage: [],
    assumptions: [],
    unknownShapes: [],
  } as const;
}

export interface FakeTarget extends IntakeTarget {
  readonly begun: SourceName[];
  readonly finished: TakenSource[];
  /** Texts of the events that were kept, by path of their source. */
  readonly kept: Map<string, string[]>;
}

export function fakeTarget(): FakeTarget {
  const begun: SourceName[] = [];
  const finished: TakenSource[] = [];
  const kept = new Map<string, string[]>();
  let current: EvidenceEvent[] = [];
  return {
    begun,
    finished,
    kept,
    has: (sha256) => finished.some((source) => source.sha256 === sha256 && source.skipped === undefined),
    async begin(source) {
      begun.push(source);
      current = [];
      const events = current;
      return {
        event: (event) => events.push(event),
        fact: () => undefined,
        presence: () => undefined,
        settle: async () => undefined,
      };
    },
    async finish(source) {
      finished.push(source);
      if (source.skipped === undefined)
        kept.set(
          source.path,
          current.map((event) => event.data?.text ?? ''),
        );
    },
  };
}
