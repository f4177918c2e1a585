/** The same evidence gives the same bytes: in any zone, whatever the order of the inputs and the folder they lie in. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder, ROOT } from '../project/tree.js';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const incidents = join(ROOT, 'samples/incidents');

interface Way {
  readonly zone: string;
  /** Where the evidence lies. */
  readonly evidence: string;
  readonly order: (files: readonly string[]) => readonly string[];
}

describe.each(readdirSync(incidents).sort())('%s', (name) => {
  const files = filesUnder(`samples/incidents/${name}/evidence`).map((file) =>
    file.slice(`samples/incidents/${name}/evidence/`.length),
  );
  const elsewhere = join(folder, name, 'some other', 'folder');
  mkdirSync(elsewhere, { recursive: true });
  cpSync(join(incidents, name, 'evidence'), elsewhere, { recursive: true });

  function reports({ zone, evidence, order }: Way, way: number): Map<string, string> {
    const out = join(folder, name, `out-${way}`);
    const inputs = order(files.map((file) => join(evidence, file)));
    const env = { TZ: zone, LANG: zone === 'UTC' ? 'C' : 'de_DE.UTF-8' };
    const ran = bullmortem(['analyze', ...inputs, '-o', `${out}/`, '--tz', 'Europe/Berlin', '--quiet'], { env });
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
    const terminal = bullmortem(['analyze', ...inputs, '--tz', 'Europe/Berlin'], { env }).stdout;
    return new Map([
      ...readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')] as const),
      ['terminal', terminal] as const,
    ]);
  }

  it('in three zones, in another order and in another folder', () => {
    const here = join(incidents, name, 'evidence');
    const [first, ...others] = (
      [
        { zone: 'UTC', evidence: here, order: (all) => all },
        { zone: 'Asia/Kathmandu', evidence: here, order: (all) => all.toReversed() },
        { zone: 'America/St_Johns', evidence: elsewhere, order: ([head = '', ...rest]) => [...rest, head] },
      ] satisfies Way[]
    ).map(reports);
    expect([...(first ?? [])].length).toBeGreaterThan(5);
    for (const other of others) expect(other).toEqual(first);
    const text = [...(first?.values() ?? [])].join('\n');
    // Neither a path of the machine nor a time at which the report was made.
    expect(text).not.toContain(folder);
    expect(text).not.toContain(ROOT);
    const now = new Date().toISOString().slice(0, 13);
    expect(text).not.toContain(now);
  });
});
