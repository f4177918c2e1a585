/** Lines of a shell that run redis-cli: by name, in a container, through `sh -c`, behind `echo … |`, with a here-document. */
import type { CommandLine, Rendering } from './command.js';
import { isKnownCommand } from './known-commands.js';
import { splitPrompt, splitShell, type Words } from './split-args.js';

/** A time in front of a prompt, as zsh and `PS4='+ \D{…} '` show it; without a date it says nothing. */
const CLOCK = /^(?:\+ )?[[(]?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?)[\])]? /;
/** A time of day alone in front of a prompt. */
const TIME_OF_DAY = /^(?:\+ )?[[(]?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?[\])]? /;
/**
 * A shell's prompt: `$ `, `# `, `+ ` of set -x, `user@host:~$ `, `PS C:\> `, the arrows of zsh themes (UTF-8 seen
 * as Latin-1); no word of it may begin with a digit, as times do.
 */
const SHELL_PROMPT =
  /^(?:\++ |\xe2\x9e\x9c {1,2}\S{1,80} (?:git:\(\S{1,80}\) (?:\xe2\x9c\x97 )?)?|(?:[^\s\d]\S{0,80} ){0,2}[^\s\d]?\S{0,80}[$#%>\xbb\xaf] )/;
const WRAPPER =
  /^(?:sudo|docker|docker-compose|podman|kubectl|oc|k|ssh|time|env|exec|flyctl|fly|heroku|nerdctl|crictl|nsenter|lxc|nomad|aws|gcloud|az|microk8s|minikube|\w+=\S*)$/;
/** What stands between the command that runs another and that other. */
const HANDS_ON = /^(?:--|exec|run|ssh|sudo|time|env|execute-command|--command)$/;
const CLI = /^(?:\S*[\\/])?(?:redis|valkey|keydb)-cli(?:\.exe)?$/;
/** Options of redis-cli that take the next word. */
const WITH_VALUE =
  /^(?:-[hpsaurindtDX]|--(?:user|pass|cacert|cacertdir|cert|key|sni|tls-ciphers|tls-ciphersuites|pattern|count|quoted-pattern|show-pushes))$/;
/** What may follow without changing what is printed. */
const HARMLESS = /^(?:(?:\|\s*(?:cat|tee(?: -a)?\s+\S+)|2>(?:&1|\S+)|;|\|\|\s*true|<\s*\/dev\/null)\s*)*$/;
const MAX_OPERATOR = 200;
const SHELL = /^(?:ba|da|z|a)?sh$/;
const HEREDOC = /^<<-?\s*(["']?)(\w+)\1\s*$/;
const HERE_STRING = /^<<<\s*(["'])(.*)\1\s*$/;
const MAX_NESTED = 3;

/** `date`, and options that print a time. */
const DATE = /^date(?: (?:-u|--utc|-R|-I[a-z]*|--iso-8601\S*|["']?\+[^|;&]*))*$/;

/** The time in front of a prompt, as it stands there. */
export const shellClock = (line: string): string | undefined => CLOCK.exec(line)?.[1];

/** The prompt of a line in which somebody asks the shell for the time; the next line is the answer. */
export function promptOfDate(line: string): string | undefined {
  if (!line.includes('date')) return undefined;
  const prompt = promptOf(line);
  return prompt !== '' && DATE.test(line.slice(prompt.length).trimEnd()) ? prompt : undefined;
}

/** The shell's prompt in front of a line, or ''. */
function promptOf(line: string): string {
  const clock = CLOCK.exec(line)?.[0] ?? TIME_OF_DAY.exec(line)?.[0] ?? '';
  const prompt = SHELL_PROMPT.exec(line.slice(clock.length))?.[0] ?? '';
  return prompt === '' ? '' : clock + prompt;
}

/** The command that a shell's line runs, or undefined. */
export function parseShell(line: string): CommandLine | undefined {
  if (!line.includes('cli')) return undefined;
  const shellPrompt = promptOf(line);
  const call = parseCall(line.slice(shellPrompt.length), shellPrompt !== '', 0);
  if (call === undefined) return undefined;
  const isReadable = isKnownCommand(call.words) || call.heredoc !== undefined;
  if (!isReadable && (call.words.length > 0 || shellPrompt === '')) return undefined;
  return { from: 'shell', margin: '', shellPrompt, clock: shellClock(line), ...call };
}

type Call = Pick<CommandLine, 'words' | 'rendering' | 'db' | 'heredoc' | 'spoiled'>;

function parseCall(text: string, hasPrompt: boolean, depth: number): Call | undefined {
  const found = splitShell(text);
  if (found === undefined || depth > MAX_NESTED) return undefined;
  const { words, operator } = found;
  const first = words[0] ?? '';
  if (/^(?:echo|printf)$/.test(first) && operator.startsWith('|')) return piped(words, operator, depth);
  const at = words.findIndex((word) => CLI.test(word));
  const isRun = (before: readonly string[]): boolean =>
    before.length === 0 || WRAPPER.test(first) || (hasPrompt && before.some((word) => HANDS_ON.test(word)));
  if (at < 0) return SHELL.test(first) || isRun(words) ? nested(words, depth) : undefined;
  if (!isRun(words.slice(0, at))) return undefined;
  return withOperator(parseOptions(words.slice(at + 1)), operator);
}

/** `echo "GET x" | redis-cli -n 2` */
function piped(words: readonly string[], operator: string, depth: number): Call | undefined {
  const call = parseCall(operator.slice(1).trim(), true, depth + 1);
  if (call === undefined || call.words.length > 0) return undefined;
  const typed = words
    .slice(1)
    .filter((word) => !/^-[ne]+$/.test(word))
    .join(' ')
    .replace(/\\n$/, '');
  const command = typed.includes('\\n') ? undefined : splitPrompt(typed);
  return command && { ...call, words: command };
}

/** `sh -c "redis-cli GET x"` */
function nested(words: readonly string[], depth: number): Call | undefined {
  const at = words.findIndex((word) => /^(?:-\w*c|--command)$/.test(word));
  const inner = at < 0 ? undefined : words[at + 1];
  return inner?.includes('cli') ? parseCall(inner, true, depth + 1) : undefined;
}

function withOperator(call: Call, operator: Words['operator']): Call {
  const delimiter = HEREDOC.exec(operator)?.[2];
  if (delimiter !== undefined) return { ...call, heredoc: delimiter };
  const text = HERE_STRING.exec(operator)?.[2];
  if (text !== undefined && call.words.length === 0) return { ...call, words: splitPrompt(text) ?? [] };
  const isFiltered = operator.length > MAX_OPERATOR || !HARMLESS.test(operator);
  return isFiltered ? { ...call, spoiled: `it goes through ${operator.slice(0, 40)}` } : call;
}

function parseOptions(words: readonly string[]): Call {
  let rendering: Rendering | undefined;
  let db: number | undefined;
  let spoiled: string | undefined;
  let at = 0;
  for (let word = words[0]; word?.startsWith('-'); word = words[++at]) {
    if (word === '--raw' || word === '--csv' || word === '--json' || word === '--quoted-json') {
      rendering = word === '--raw' ? 'raw' : word === '--csv' ? 'csv' : word === '--json' ? 'json' : 'quoted-json';
    } else if (word === '--no-raw') rendering = 'tty';
    else if (word === '--scan') return { words: ['SCAN', '0'], rendering: 'raw', db, heredoc: undefined, spoiled };
    else if (word === '-r') spoiled = 'it was repeated, so its answers run together';
    else if (word === '-d' || word === '-D') spoiled = 'another delimiter was asked for';
    if (word === '-n') db = Number(words[at + 1]) || 0;
    // redis://host:port/db
    if (word === '-u') db = Number(/\/(\d{1,4})$/.exec(words[at + 1] ?? '')?.[1] ?? 0);
    if (WITH_VALUE.test(word)) at++;
  }
  const asked = words.slice(at);
  return { words: asked, rendering, db: db ?? 0, heredoc: undefined, spoiled };
}
