/** Runs the built program as a user would. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from '../project/tree.js';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `cwd` relative to nothing: an absolute folder; the project where absent. */
export function bullmortem(
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly env?: Record<string, string> } = {},
): Ran {
  const ran = spawnSync(process.execPath, [join(ROOT, 'bin/bullmortem.js'), ...args], {
    cwd: options.cwd ?? ROOT,
    input: options.input ?? '',
    encoding: 'utf8',
    env: { ...process.env, ...options.env },
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** A folder for one test file, removed at its end. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bullmortem-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
