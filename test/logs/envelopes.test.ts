import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVELOPES } from '../../src/logs/envelopes/envelopes.js';
import { chooseFrame } from '../../src/logs/framing/choose-frame.js';
import { createTimeReader } from '../../src/time/index.js';
import { FILE_DATE } from './read-log.js';

const FOLDER = new URL('./formats/', import.meta.url);
const samples = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.events'))
  .sort()
  .map((file) => ({ file: file.replace(/\.events$/, '.log'), names: formatsOf(file) }));

function formatsOf(file: string): string[] {
  return (readFileSync(new URL(file, FOLDER), 'utf8').split('\n', 1)[0] ?? '').split(' ');
}

/** An envelope that takes the samples of another for its own would lose or misread them (rule of lnav). */
describe('envelopes', () => {
  it.each(samples)('$file is claimed by no other', ({ file, names }) => {
    const { first } = chooseFrame(readFileSync(new URL(file, FOLDER)), file);
    const time = createTimeReader({ modifiedMs: FILE_DATE });
    const claims = first.flatMap((entry) =>
      ENVELOPES.filter(
        (envelope) => envelope.recognise(entry, entry.charCodeAt(0)) && envelope.peel(entry, { time }) !== undefined,
      ).map(({ name }) => name),
    );
    expect(names).toEqual(expect.arrayContaining([...new Set(claims)]));
  });

  it('each has a sample', () => {
    const seen = new Set(samples.flatMap(({ names }) => names));
    for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.expected.json'))) {
      for (const name of JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).report.format.split('+'))
        seen.add(name);
    }
    expect(ENVELOPES.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });
});
