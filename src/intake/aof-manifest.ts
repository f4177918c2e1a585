/**
 * The manifest of a multi-part AOF (Redis 7 and later, aof.c): names the base and the increments beside it. Those are read
 * as files of their own; the manifest itself holds no evidence, but calling it unknown would look like a loss.
 */
import type { SourceReader } from '../model/evidence.js';

const ENTRY = /^file ("(?:[^"\\]|\\.)*"|\S+) seq \d+ type [bhi]\b/;

const MAX_NAME = 200;
/** Redis quotes names with blanks or odd bytes. */
const nameOf = (part: string): string => (part.startsWith('"') ? part.slice(1, -1).replace(/\\(.)/g, '$1') : part);

export const aofManifestReader: SourceReader = {
  name: 'aof-manifest',
  detect(head, fileName) {
    const lines = Buffer.from(head)
      .toString('latin1')
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'));
    const first = lines[0];
    if (!fileName.endsWith('.manifest') || first === undefined || !ENTRY.test(first)) return undefined;
    return { format: 'AOF manifest', score: 0.95, reason: 'lists the parts of an AOF' };
  },
  async read(blocks, _sink, { siblings }) {
    const pieces: Uint8Array[] = [];
    for await (const block of blocks) pieces.push(block);
    const parts = Buffer.concat(pieces)
      .toString('latin1')
      .split('\n')
      .flatMap((line) => ENTRY.exec(line)?.[1] ?? []);
    const missing = siblings === undefined ? [] : parts.filter((part) => !siblings.has(nameOf(part)));
    return {
      kind: 'redis',
      format: 'AOF manifest',
      reason: `lists the ${parts.length} parts of an AOF, which are read as files of their own`,
      records: 0,
      understood: 0,
      damage: missing.map((part) => ({
        what: `the part ${nameOf(part).slice(0, MAX_NAME)} is not beside it: what Redis wrote there is not known`,
      })),
      assumptions: [],
      unknownShapes: [],
    };
  },
};
