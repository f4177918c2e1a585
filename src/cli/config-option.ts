/**
 * `--config FILE`, `--no-config`: what the team says of its own logs.
 *
 * Without either, `bullmortem.config.json` of the working directory is taken, as people know it from other tools, and that is
 * said. It is looked for nowhere else: not in the folders above, and never beside evidence, which may come from anybody.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readConfig } from '../logs/team/read-config.js';
import { CONFIG_FILE, type Config } from '../model/config.js';
import { UsageError } from './exit-codes.js';
import { plain } from './remarks.js';

export interface GivenConfig {
  readonly config: Config;
  /** For `run.options`: the hash of the file, no path. */
  readonly optionText: string;
  /** It was not named, but found. */
  readonly found: boolean;
}

/** @throws UsageError for a file that cannot be read or says something unclear: each fault with its path and reason. */
export function loadConfig(option: string | false | undefined): GivenConfig | undefined {
  if (option === false) return undefined;
  const path = option ?? CONFIG_FILE;
  const shown = plain(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (option === undefined && isAbsent(error)) return undefined;
    throw new UsageError(
      `the configuration ${shown} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const read = readConfig(bytes.toString('utf8'));
  if ('problems' in read) {
    const faults = read.problems.map(({ path: at, reason }) => (at === '' ? reason : `${at}: ${reason}`));
    throw new UsageError(
      `the configuration ${shown} is not understood: ${faults.join('; ')}${option === undefined ? ' (--no-config leaves it out)' : ''}`,
    );
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { config: read.config, optionText: `--config sha256:${hash}`, found: option === undefined };
}

/** Says that a configuration was found, where it was not named. */
export function sayFound({ config, quiet }: { readonly config?: GivenConfig; readonly quiet: boolean }): void {
  if (config?.found && !quiet)
    process.stderr.write(`bullmortem: read with ${CONFIG_FILE} of the working directory (--no-config leaves it out)\n`);
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
