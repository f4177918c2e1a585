/** Promises about the source that no compiler keeps. */
import { describe, expect, it } from 'vitest';
import { configSchemaText, schemaText } from '../../scripts/analysis-schema.mjs';
import * as analysis from '../../src/model/analysis.js';
import * as config from '../../src/model/config.js';
import { filesUnder, projectFiles, read } from './tree.js';

const MAX_LINES = 400;
const sources = filesUnder('src', '.ts');

/** Lines of files where a pattern stands, as `file:line`. */
function found(files: string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1} ${line.trim().slice(0, 120)}`] : [])),
  );
}

describe('source', () => {
  it('knows no word of the recordings it is tried with: a verdict rests on what BullMQ and Redis write, not on our samples', () => {
    expect(found(sources, /Job finished successfully|generate-report|worker-[abc]\b|send-invoice|mailer-7c9f/)).toEqual(
      [],
    );
  });

  it(`has no file of more than ${MAX_LINES} lines`, () => {
    // One table of short texts, read from top to bottom, is not made clearer by cutting it up.
    const code = sources.filter((file) => file !== 'src/model/boundaries.ts');
    expect(code.filter((file) => read(file).split('\n').length > MAX_LINES)).toEqual([]);
  });

  it('ends the process in cli only', () => {
    const elsewhere = sources.filter((file) => !file.startsWith('src/cli/'));
    expect(found(elsewhere, /process\.(exit\b|exitCode)/)).toEqual([]);
  });

  it('holds no path of the machine it was written on', () => {
    // Rebuilt from parts, so that this file does not find itself. Recordings say /srv/app, which is nobody's.
    const machine = new RegExp(
      ['work/', 'root/', 'home/[a-z]', 'Users/[A-Za-z]'].map((p) => `(?<![\\w.~-])/${p}`).join('|'),
    );
    const text = projectFiles().filter((file) =>
      /\.(ts|js|mjs|cjs|json|md|hbs|css|html|ya?ml|log|csv|txt)$/.test(file),
    );
    expect(found(text, machine)).toEqual([]);
  });

  it('ships the JSON Schemas of the analysis it writes and the configuration it reads', () => {
    // `npm run build` rewrites it.
    expect(read('schema/analysis-1.json')).toBe(schemaText(analysis));
    expect(read('schema/config-1.json')).toBe(configSchemaText(config));
  });
});
