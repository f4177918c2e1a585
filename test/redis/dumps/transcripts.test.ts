/** Transcripts as people paste them, each beside what it must tell: `<name>.txt` and, written by hand, `<name>.told`. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { transcriptReader } from '../../../src/redis/dumps/transcript/transcript-reader.js';
import { blocks, collect } from '../collect.js';
import { toldLines } from './told-lines.js';

const FOLDER = new URL('transcripts/', import.meta.url);
const names = fs
  .readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => file.slice(0, -'.txt'.length));

describe.each(names)('%s', (name) => {
  const text = fs.readFileSync(new URL(`${name}.txt`, FOLDER));
  const told = fs
    .readFileSync(new URL(`${name}.told`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n');

  test('is taken for a transcript', () => {
    expect(transcriptReader.detect(text, `${name}.txt`)?.score).toBeGreaterThan(0.5);
  });

  test('tells what it must', async () => {
    expect(toldLines(await collect(transcriptReader, text))).toEqual([...told].sort());
  });

  test('tells the same however it is cut, and with the line ends of Windows', async () => {
    const crlf = Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    for (const one of [blocks(text, [7]), blocks(text, [1, 300]), blocks(crlf, [64])]) {
      expect(toldLines(await collect(transcriptReader, one))).toEqual([...told].sort());
    }
  });
});
