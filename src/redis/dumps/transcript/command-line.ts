/**
 * Which lines of a transcript are commands: at the prompt of redis-cli, or a shell's line that runs redis-cli, or the bare
 * command as a heading (`# HGETALL bull:mail:42`). A line that only speaks of redis-cli is none.
 */
import { isKnownCommand, isPlainlyCommand } from './known-commands.js';
import { splitPrompt, splitShell } from './split-args.js';

/** How an answer was asked to be printed; undefined where nothing says so. */
export type Rendering = 'tty' | 'raw' | 'csv' | 'json' | 'quoted-json';

export interface CommandLine {
  /** `prompt`: typed at redis-cli's prompt. `shell`: a shell's line. `heading`: the bare command behind `#` or `>`. */
  readonly from: 'prompt' | 'shell' | 'heading';
  /** Name and arguments; empty for a prompt at which nothing was typed, or a start of the interactive mode. */
  readonly words: readonly string[];
  readonly rendering: Rendering | undefined;
  /** Database, where the line says it. */
  readonly db: number | undefined;
  /** Prompt of the shell, so that its other lines are known. */
  readonly shellPrompt: string;
  /** Why the answer cannot be what Redis said, such as a filter behind a pipe. */
  readonly spoiled: string | undefined;
}

/** `host:port[db](TX)> `; `[db]> ` is what remains of it in many pastes. */
const PROMPT =
  /^((?:[\w.-]{1,253}|\[[\w:.%]{2,64}\]):\d{1,5}|redis \/[^\s>]{1,200}|not connected|redis|valkey|(?=\[\d)|(?=\(TX\)))(?:\[(\d{1,4})\])?(\(TX\))?>(?: (.*)|)$/;
const HEADING = /^(?:#+|>|\$|\/\/|--) ?([A-Za-z].*)$/;
/** A shell's prompt: `$ `, `# `, `+ ` of set -x, `user@host:~$ `, `PS C:\> `; no word of it may begin with a digit, as times do. */
const SHELL_PROMPT = /^(?:\+ |(?:[^\s\d]\S{0,80} ){0,2}[^\s\d]?\S{0,80}[$#%>\u00bb] )/;
const WRAPPER = /^(?:sudo|docker|podman|kubectl|oc|ssh|time|env|exec|flyctl|heroku|nerdctl|\w+=\S*)$/;
const CLI = /^(?:\S*[\\/])?(?:redis|valkey|keydb)-cli(?:\.exe)?$/;
/** Options of redis-cli that take the next word. */
const WITH_VALUE =
  /^(?:-[hpsaurindtDX]|--(?:user|pass|cacert|cacertdir|cert|key|sni|tls-ciphers|tls-ciphersuites|pattern|count|quoted-pattern|show-pushes))$/;
/** What may follow without changing what is printed. */
const HARMLESS = /^(?:\|\s*(?:cat|tee\s+\S+)|2>(?:&1|\S+)|;)\s*$/;

const none = { rendering: undefined, db: undefined, shellPrompt: '', spoiled: undefined } as const;

/** The command that a line holds, or undefined. The line is Latin-1 text without colours. */
export function parseCommandLine(line: string): CommandLine | undefined {
  // Most lines are answers.
  if (!line.includes('>') && !line.includes('cli') && !HEADING.test(line)) return undefined;
  return parsePrompt(line) ?? parseShell(line) ?? parseHeading(line);
}

function parsePrompt(line: string): CommandLine | undefined {
  const found = PROMPT.exec(line);
  if (found === null) return undefined;
  const [, address, db, , typed = ''] = found;
  const words = splitPrompt(typed);
  // A time of day is no address: `12:30> x`.
  if (/^\d{1,2}:\d\d$/.test(address ?? '') && !isKnownCommand(words ?? [])) return undefined;
  const saysDatabase = db !== undefined || address?.includes(':') || address?.startsWith('redis ');
  return {
    ...none,
    from: 'prompt',
    words: words ?? [],
    db: saysDatabase ? Number(db ?? 0) : undefined,
    spoiled: spoiledByCount(words ?? []),
  };
}

/** redis-cli repeats a command that stands behind a number. */
const spoiledByCount = (words: readonly string[]): string | undefined =>
  /^\d+$/.test(words[0] ?? '') ? 'it was repeated, so its answers run together' : undefined;

function parseShell(line: string): CommandLine | undefined {
  if (!line.includes('cli')) return undefined;
  const shellPrompt = SHELL_PROMPT.exec(line)?.[0] ?? '';
  const found = splitShell(line.slice(shellPrompt.length));
  if (found === undefined) return undefined;
  const at = found.words.findIndex((word) => CLI.test(word));
  if (at < 0 || (at > 0 && !WRAPPER.test(found.words[0] ?? ''))) return undefined;
  const call = parseOptions(found.words.slice(at + 1));
  if (!isKnownCommand(call.words) && (call.words.length > 0 || shellPrompt === '')) return undefined;
  const { operator } = found;
  const filtered = operator === '' || HARMLESS.test(operator) ? undefined : `it goes through ${operator.slice(0, 40)}`;
  return { from: 'shell', shellPrompt, ...call, spoiled: filtered ?? call.spoiled };
}

function parseOptions(words: readonly string[]): Pick<CommandLine, 'words' | 'rendering' | 'db' | 'spoiled'> {
  let rendering: Rendering | undefined;
  let db: number | undefined;
  let spoiled: string | undefined;
  let at = 0;
  for (let word = words[0]; word?.startsWith('-'); word = words[++at]) {
    if (word === '--raw' || word === '--csv' || word === '--json' || word === '--quoted-json') {
      rendering = word === '--raw' ? 'raw' : word === '--csv' ? 'csv' : word === '--json' ? 'json' : 'quoted-json';
    } else if (word === '--no-raw') rendering = 'tty';
    else if (word === '--scan') return { words: ['SCAN', '0'], rendering: 'raw', db, spoiled };
    else if (word === '-r') spoiled = 'it was repeated, so its answers run together';
    else if (word === '-d' || word === '-D') spoiled = 'another delimiter was asked for';
    if (word === '-n') db = Number(words[at + 1]) || 0;
    if (WITH_VALUE.test(word)) at++;
  }
  return { words: words.slice(at), rendering, db: db ?? (words.length > at ? 0 : undefined), spoiled };
}

function parseHeading(line: string): CommandLine | undefined {
  const text = HEADING.exec(line)?.[1];
  const words = text === undefined ? undefined : splitPrompt(text);
  return words !== undefined && isPlainlyCommand(words) ? { ...none, from: 'heading', words } : undefined;
}

/** Whether the line is another command of the same shell, which ends an answer. */
export const isShellLine = (line: string, shellPrompt: string): boolean =>
  shellPrompt !== '' && line.startsWith(shellPrompt);
