/** Paths of sources keep their shape: folders, what kind of file it is, and which archive it is in. */
import type { Pseudonyms } from './pseudonyms.js';

/** Endings that say how a file is read, and nothing about whose it is. */
const ENDING =
  /(?:\.(?:log|txt|json|jsonl|ndjson|csv|tsv|rdb|aof|manifest|md|sql|parquet|gz|gzip|zst|zstd|zip|tar|tgz))+$/i;

export function redactPath(path: string, pseudonyms: Pseudonyms): string {
  return path
    .split('/')
    .map((part) => (/^(?:\.{1,2}|stdin|\(stdin\)|)$/.test(part) ? part : redactPart(part, pseudonyms)))
    .join('/');
}

function redactPart(part: string, pseudonyms: Pseudonyms): string {
  const archive = part.endsWith('!');
  const name = archive ? part.slice(0, -1) : part;
  const ending = ENDING.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - ending.length);
  return `${stem === '' ? '' : pseudonyms.of('path', stem)}${ending}${archive ? '!' : ''}`;
}
