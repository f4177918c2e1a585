/**
 * Which lines of a transcript are commands: at the prompt of redis-cli, or a shell's line that runs redis-cli, or the bare
 * command as a heading (`# HGETALL bull:mail:42`). A line that only speaks of redis-cli is none.
 *
 * Transcripts are pasted into tickets and chats: the line may be quoted (`> `) or indented, and then its answer is, too.
 */
import type { CommandLine } from './command.js';
import { isKnownCommand, isPlainlyCommand } from './known-commands.js';
import { parseShell } from './shell-line.js';
import { splitPrompt } from './split-args.js';

/** `host:port[db](TX)> `; `[db]> ` is what remains of it in many pastes. */
const PROMPT =
  /^((?:[\w.-]{1,253}|\[[\w:.%]{2,64}\]):\d{1,5}|redis \/[^\s>]{1,200}|not connected|redis|valkey|(?=\[\d)|(?=\(TX\)))(?:\[(\d{1,4})\])?(\(TX\))?>(?: (.*)|)$/;
/** `# CMD`, `> CMD`, `**CMD**`, and a line that holds nothing but the command in backticks. */
const HEADING =
  /^(?:(?:#+|>|\$|\/\/|--|\*\*|==+) ?([A-Za-z].*?)(?:\*\*:?|:\*\*| ==+)?|(?:[-*] |\d{1,3}\. |#+ )?`([A-Za-z][^`]*)`:?)$/;
/** Quote marks of mail and Markdown, indentation, the edge of a table in a chat export. */
const MARGIN = /^(?:[ \t]*[>|](?=[ \t])[ \t]?)*[ \t]*/;

const plain = {
  ...{ rendering: undefined, db: undefined, margin: '', shellPrompt: '' },
  ...{ clock: undefined, heredoc: undefined, spoiled: undefined },
} as const;

/** The command that a line holds, or undefined. The line is Latin-1 text without colours. */
export function parseCommandLine(line: string): CommandLine | undefined {
  // Most lines are answers.
  if (!line.includes('>') && !line.includes('cli') && !HEADING.test(line)) return undefined;
  const whole = parsePrompt(line) ?? parseShell(line);
  // `> redis-cli …` may be quoted or typed at that prompt; what follows tells (`Session`).
  if (whole !== undefined) return whole;
  const margin = MARGIN.exec(line)?.[0] ?? '';
  const inner = margin === '' ? undefined : line.slice(margin.length);
  const quoted = inner === undefined ? undefined : (parsePrompt(inner) ?? parseShell(inner));
  return quoted === undefined ? parseHeading(line) : { ...quoted, margin };
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
    ...plain,
    from: 'prompt',
    words: words ?? [],
    db: saysDatabase ? Number(db ?? 0) : undefined,
    spoiled: spoiledByCount(words ?? []),
  };
}

/** redis-cli repeats a command that stands behind a number. */
const spoiledByCount = (words: readonly string[]): string | undefined =>
  /^\d+$/.test(words[0] ?? '') ? 'it was repeated, so its answers run together' : undefined;

function parseHeading(line: string): CommandLine | undefined {
  const found = HEADING.exec(line);
  const text = found?.[1] ?? found?.[2];
  const words = text === undefined ? undefined : splitPrompt(text);
  return words !== undefined && isPlainlyCommand(words) ? { ...plain, from: 'heading', words } : undefined;
}

/** Whether the line is another command of the same shell, which ends an answer. Times and counters in a prompt change. */
export const isShellLine = (line: string, shellPrompt: string): boolean =>
  shellPrompt !== '' && sameShape(line.slice(0, shellPrompt.length), shellPrompt);

const sameShape = (a: string, b: string): boolean => a === b || a.replace(/\d/g, '0') === b.replace(/\d/g, '0');
