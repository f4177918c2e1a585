/** Sentences without names: known ones, what evidence wrote between quotes, and what looks like an address, a path or a token. */
import { CLOSING_QUOTE, OPENING_QUOTE } from '../../model/quote-evidence.js';
import type { Names } from './names-of.js';
import { PSEUDONYM, type Pseudonyms } from './pseudonyms.js';

export type RedactText = (text: string) => string;

/** Words of our own sentences. A name that is one of them is taken for a name only behind what announces one. */
const OUR_WORDS = new Set(
  (
    'a about after again all an and any are as at be before been began begin but by cannot clock command completed could count ' +
    'data delayed did done each end ended entry error event events evidence failed finding finished first for from given gone had ' +
    'handler has have held help how id if in is it its job jobs key kept last later left life line list lock locks log lost made ' +
    'may means moment more moved name no none not nothing of on one only or other others out over own paused process progress queue ' +
    'queues ran reason record records redis renewed report result retry run runs said second set shown silent since so some source ' +
    'stalled start started state step still stop store sweep task taken than that the their then there this time times to told took ' +
    'token two until up was were what when where which while who why will with without work worker workers wrote'
  ).split(' '),
);
const ANNOUNCED = /(?:\b(?:jobs?|queue|worker|host|key|name)s? |[:@])$/i;
const LETTER = /[\p{L}\p{N}]/u;

/** BullMQ's and Redis' own errors; the group is a job's id. */
const OWN_ERRORS: readonly RegExp[] = [
  /^(?:Error: )?(?:Missing lock for job|Lock mismatch for job|Missing key for job|Missing Job) (\S+?)\.?(?: (?:Cmd )?\w+(?: from \w+)?)?$/i,
  /^(?:Error: )?(?:could not|failed to|unable to|cannot) renew lock for job (\S+?)\.?$/i,
  /^(?:Error: )?Job (\S+) (?:is not in the [\w-]+ state|has pending dependencies)\.?(?: \w+)?$/i,
  /^(?:(?:Unrecoverable)?Error: )?job stalled more than (?:max|allowable) ?(?:StalledCount|limit)$/i,
  /^(?:\w*Error: )?(?:OOM command not allowed when used memory > 'maxmemory'|READONLY You can't write against a read only replica|MISCONF Redis is configured to save RDB snapshots\b[^/@]{0,300}|LOADING Redis is loading the dataset in memory|Connection is closed|(?:read |write )?E(?:CONNRESET|PIPE|TIMEDOUT))\.?$/,
  /^Child process exited with exit code: -?\d+ and signal: \w+$/,
];

export function createTextRedaction(names: Names, pseudonyms: Pseudonyms): RedactText {
  const replaceNames = nameReplacer(names);
  const clean = (text: string): string => withoutPatterns(replaceNames(text), pseudonyms);
  return (text) => {
    const from = text.indexOf(OPENING_QUOTE);
    const to = text.lastIndexOf(CLOSING_QUOTE);
    if (from < 0 || to < from) return clean(text);
    const quoted = text.slice(from + 1, to);
    return clean(text.slice(0, from + 1)) + redactError(quoted, names, pseudonyms) + clean(text.slice(to));
  };
}

/** Text that evidence wrote: an error of BullMQ or Redis stays, all else is a pseudonym. */
export function redactError(text: string, names: Names, pseudonyms: Pseudonyms): string {
  for (const template of OWN_ERRORS) {
    const match = template.exec(text);
    if (match === null) continue;
    const id = match[1];
    if (id === undefined || /^\d+$/.test(id)) return text;
    return text.replace(id, () => names.get(id) ?? pseudonyms.of('job', id));
  }
  return pseudonyms.of('text', text);
}

/** Of several names that begin at one place the longest counts. */
function nameReplacer(names: Names): RedactText {
  const lengths = [...new Set([...names.keys()].map((name) => name.length))].sort((a, b) => b - a);
  const found = (text: string, at: number): string | undefined => {
    for (const length of lengths) {
      if (at + length > text.length) continue;
      const part = text.slice(at, at + length);
      if (names.has(part) && isWhole(text, at, part) && isNamed(text, at, part)) return part;
    }
    return undefined;
  };
  return (text) => {
    let out = '';
    for (let at = 0; at < text.length; ) {
      const name = isStart(text, at) ? found(text, at) : undefined;
      out += name === undefined ? text.charAt(at) : (names.get(name) ?? '');
      at += name?.length ?? 1;
    }
    return out;
  };
}

const isLetter = (text: string, at: number): boolean => LETTER.test(text.charAt(at));

const isStart = (text: string, at: number): boolean => at === 0 || !isLetter(text, at - 1) || !isLetter(text, at);

const isWhole = (text: string, at: number, part: string): boolean =>
  !isLetter(text, at + part.length) || !isLetter(part, part.length - 1);

function isNamed(text: string, at: number, part: string): boolean {
  if (part.length > 1 && !OUR_WORDS.has(part.toLowerCase())) return true;
  return at === 0 || part.length === text.length || ANNOUNCED.test(text.slice(Math.max(0, at - 12), at));
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const URL_OR_MAIL = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;
const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\.\d)/g;
const IPV6 =
  /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:)*[0-9a-f]{0,4}::(?:[0-9a-f]{1,4}:)*[0-9a-f]{1,4})(?![\w:])/gi;
const PATH = /(?<![\w./-])(?:[A-Za-z]:\\|\\\\|~?\/)(?:[^\s/\\"'():,;]+[/\\])+[^\s/\\"'():,;]*/g;
/** A name of a machine with its domain. File names of ours have one point. */
const DOMAIN = /\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){2,}(?!(?:json|js|mjs|ts|log|csv|md)\b)[a-z]{2,24}\b/gi;

function withoutPatterns(text: string, pseudonyms: Pseudonyms): string {
  return text
    .replace(URL_OR_MAIL, (found) => pseudonyms.of('text', found))
    .replace(UUID, (found) => (PSEUDONYM.test(found) ? found : pseudonyms.of('token', found)))
    .replace(PATH, (found) => pseudonyms.of('path', found))
    .replace(IPV4, (found) => pseudonyms.of('ip', found))
    .replace(IPV6, (found) => pseudonyms.of('ip', found))
    .replace(DOMAIN, (found) => pseudonyms.of('host', found));
}
