/** The key of pseudonyms: kept in a file, so that the same name is called the same in every report. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from './exit-codes.js';
import { plain } from './remarks.js';

const KEY_BYTES = 32;
/** Fewer characters could be tried out. */
const SHORTEST = 32;

/**
 * The key in the file, which is made where there is none, for its owner's eyes only; without a file one for this run alone.
 *
 * @throws UsageError where it can neither be read nor written, or is no key
 */
export function redactionKey(path: string | undefined): string {
  if (path === undefined) {
    process.stderr.write(
      'bullmortem: the pseudonyms are of this run alone; with --redact-key FILE those of several reports agree\n',
    );
    return newKey();
  }
  return readRedactionKey(path) ?? createKey(path);
}

/** Undefined where there is no such file. @throws UsageError where it cannot be read or is no key */
export function readRedactionKey(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`--redact-key: cannot read ${plain(path)}: ${errorText(error)}`);
  }
  if (text.length < SHORTEST || text.length > 4096 || /\s/.test(text))
    throw new UsageError(
      `--redact-key: ${plain(path)} holds no key: one line of at least ${SHORTEST} characters; name a file that does not exist yet to have one made`,
    );
  return text;
}

function createKey(path: string): string {
  const key = newKey();
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new UsageError(`--redact-key: cannot write ${plain(path)}: ${errorText(error)}`);
  }
  process.stderr.write(
    `bullmortem: wrote ${plain(path)}: keep it to have the same pseudonyms again, and to yourself\n`,
  );
  return key;
}

const newKey = (): string => randomBytes(KEY_BYTES).toString('hex');
const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
