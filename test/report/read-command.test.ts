/** The commands that give a cited line again: run by a real shell where its tools are everywhere, else as text. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../src/model/analysis.js';
import { readCommand } from '../../src/report/sections/read-command.js';
import { scratch } from '../cli/command.js';
import { tarOf } from '../intake/pack.js';

type Packing = NonNullable<Source['packing']>;

const folder = scratch();
const NAMES = ["it's a [log].txt", '-rf', 'x/$(touch evil)/a b.log', '../up.log', '/top.log', 'same.log', 'same.log'];
const tar = tarOf(NAMES.map((name, n) => ({ name, content: `first ${n}\nsecond ${n}\n` })));
writeFileSync(join(folder, '-x.tar'), tar);
writeFileSync(join(folder, 'x y.tar.gz'), gzipSync(tar));
writeFileSync(join(folder, 'in.tar'), tarOf([{ name: 'a/x.log.gz', content: gzipSync('one\ntwo\n') }]));

const output = (file: string, packing: Packing): string => {
  const read = readCommand(file, packing);
  if (read.kind === 'none') throw new Error(read.why);
  const command = read.kind === 'file' ? `cat ${read.path}` : read.text;
  return execFileSync('sh', ['-c', `${command} | sed -n 2p`], { cwd: folder, encoding: 'utf8' });
};

describe('the command for a source', () => {
  it.each([
    ['-x.tar', []],
    ['x y.tar.gz', [{ kind: 'gzip' as const }]],
  ])('%s: reaches each file, whatever it is called', (file, outer) => {
    const times = new Map<string, number>();
    for (const [n, entry] of NAMES.entries()) {
      const nth = (times.get(entry) ?? 0) + 1;
      times.set(entry, nth);
      expect(output(file, [...outer, { kind: 'tar', entry, ...(nth > 1 && { nth }) }])).toBe(`second ${n}\n`);
    }
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).not.toContain('evil');
  });

  it('reaches a packed file in an archive', () => {
    expect(output('in.tar', [{ kind: 'tar', entry: 'a/x.log.gz' }, { kind: 'gzip' }])).toBe('two\n');
  });

  it('names the tools of zip and zstd, and what they cannot do', () => {
    const zip = (entry: string, nth?: number): Packing => [{ kind: 'zip', entry, ...(nth && { nth }) }];
    expect(readCommand('l.zip', zip('a [1].log'))).toEqual({ kind: 'command', text: "unzip -p l.zip 'a \\[1\\].log'" });
    expect(readCommand('l.zst', [{ kind: 'zstd' }])).toEqual({ kind: 'command', text: 'zstd -dc l.zst' });
    expect(readCommand('l.zip', zip('a.log', 2)).kind).toBe('none');
    expect(readCommand('l.tar', [{ kind: 'tar', entry: 'l.zip' }, ...zip('a.log')]).kind).toBe('none');
  });
});
