/**
 * Records that could matter and were not understood, as rules for the configuration. Pasted as they are they change nothing: what
 * said nothing is ignored, what was taken for some line of a job stays one. The team only has to put the right kind.
 */
import type { Suggestion } from '../../model/evidence.js';
import { ownString } from '../own-string.js';
import type { Finding } from '../phrases/finding.js';
import type { LogRecord } from '../record.js';

const MAX_KEPT = 2000;
const MAX_GIVEN = 20;
const MAX_TEXT = 200;

export interface SuggestionBook {
  /** `line` is 1-based. */
  add(record: LogRecord, findings: readonly Finding[], line: number): void;
  /** The most frequent first. */
  top(): readonly Suggestion[];
}

export function createSuggestionBook(): SuggestionBook {
  const seen = new Map<string, Suggestion & { count: number }>();
  return {
    add(record, findings, line) {
      const isLine = findings.length > 0;
      if (findings.some(({ kind }) => kind !== 'handler-line')) return;
      const rule = ruleOf(record, isLine);
      if (rule === undefined) return;
      const kind = isLine ? 'handler-line' : 'ignore';
      const key = `${kind} ${rule.field ?? ''} ${rule.pattern ?? rule.is}`;
      const known = seen.get(key);
      if (known) known.count++;
      else if (seen.size < MAX_KEPT)
        seen.set(ownString(key), {
          kind,
          ...rule,
          count: 1,
          firstLine: line,
          example: exampleOf(record),
          ...shapeOf(findings),
        });
    },
    top: () => [...seen.values()].sort((a, b) => b.count - a.count || a.firstLine - b.firstLine).slice(0, MAX_GIVEN),
  };
}

function shapeOf([first]: readonly Finding[]): Pick<Suggestion, 'shape'> {
  return first?.data?.shape === undefined ? {} : { shape: first.data.shape };
}

function ruleOf(record: LogRecord, isLine: boolean): Pick<Suggestion, 'pattern' | 'field' | 'is'> | undefined {
  const { message, fields, object } = record;
  if (fields.request || REQUEST.test(message)) return undefined;
  if (message !== '') {
    if (!isLine && !couldMatter(message)) return undefined;
    return { pattern: ownString(patternOf(message, fields.jobs === undefined && !isLine)) };
  }
  // A record without words: a short text of its own may be the name of what happened.
  const named = Object.entries(object ?? {}).find(
    ([key, value]) =>
      typeof value === 'string' && /^[A-Za-z][\w.:-]{2,40}$/.test(value) && !/level|host|severity/i.test(key),
  );
  if (named === undefined || typeof named[1] !== 'string' || /\d/.test(named[1]) || named[0].length > 60)
    return undefined;
  return { field: ownString(named[0]), is: ownString(named[1]) };
}

const WORDS =
  /\b(?:jobs?|tasks?|queues?|workers?|locks?|stall\w*|retr\w+|start\w*|begin|began|begun|finish\w*|done|complet\w*|fail\w*|process\w*|handl\w*|progress|ack\w*|clos\w*|shut\w*)\b/i;
const REQUEST = /^\W{0,3}(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S/;
const AMOUNT = /\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|min|minutes|%|[kmg]i?b)\b/gi;

/** It speaks of work, or names something by a number that is no amount. */
const couldMatter = (message: string): boolean => {
  const text = message.slice(0, MAX_TEXT);
  return WORDS.test(text) || /\d/.test(text.replace(AMOUNT, ''));
};

function exampleOf(record: LogRecord): string {
  const text = record.message === '' ? JSON.stringify(record.object ?? {}) : record.message;
  return ownString(text.slice(0, MAX_TEXT));
}

/** What differs from one record to the next: uuids, quoted texts, objects, amounts, and words with digits. */
const VARIABLE =
  /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|"[^"]*"|'[^']*'|\{.*$|\d+(?:\.\d+)?(?=\s?(?:ms|s|sec|seconds|min|minutes|%|[kmg]i?b)\b)|[\w.:@/-]*\d(?:[\w.:@/-]*\w)?/gis;

/** A pattern of RE2 that the message fits. `findsJob`: the first word that could be an id is taken for the job's. */
export function patternOf(message: string, findsJob: boolean): string {
  const text = message.slice(0, MAX_TEXT);
  let pattern = '^';
  let at = 0;
  let isNamed = !findsJob;
  for (const { 0: part, index } of text.matchAll(VARIABLE)) {
    pattern += literal(text.slice(at, index));
    at = index + part.length;
    const some = someOf(part, text.slice(at, at + 10));
    const isId = some === ID || some === UUID || some === WORD;
    pattern += isId && !isNamed ? `(?<job>${some})` : some;
    isNamed ||= isId;
    if (some === OBJECT) return pattern;
  }
  pattern += literal(text.slice(at));
  return message.length > MAX_TEXT ? pattern : `${pattern}$`;
}

const ID = '\\d+';
const UUID = '[0-9a-fA-F-]{36}';
const WORD = '[\\w.:@/-]*\\w';
const AMOUNTS = '[\\d.]+';
const OBJECT = '\\{';

function someOf(part: string, after: string): string {
  if (part.startsWith('{')) return OBJECT;
  if (part.startsWith('"')) return '"[^"]*"';
  if (part.startsWith("'")) return "'[^']*'";
  if (/^[\d.]+$/.test(part) && /^\s?(?:ms|s|sec|seconds|min|minutes|%|[kmg]i?b)\b/i.test(after)) return AMOUNTS;
  if (/^\d+$/.test(part)) return ID;
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(part) ? UUID : WORD;
}

/** Signs with a meaning in patterns lose it; what cannot be seen, or is half a character, may be anything. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/[^\P{C}]/gu, '[\\s\\S]');
