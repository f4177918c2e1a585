/** A look in the words of redis-cli: the command somebody would have typed, and what it would have printed. */
import type { AtAnswer } from '../../model/analysis.js';
import { type QueueSet, SCORE_PER_MS } from '../../model/fact.js';
import { formatUtc } from '../../time/index.js';
import type { Field } from './job-keys.js';
import type { Look, Place } from './look.js';
import type { Reply } from './reply.js';

/** Asked of every hash, in the order in which a job gets them. */
const FIELDS = [
  'name',
  'timestamp',
  'delay',
  'priority',
  'processedOn',
  'pb',
  'ats',
  'atm',
  'stc',
  'defa',
  'progress',
  'failedReason',
  'finishedOn',
] as const;

/** The names of `atm` and `stc` up to BullMQ 4; told where they are there. */
const OLDER_FIELDS = ['attemptsMade', 'stalledCounter'] as const;

const WORKERS_CLOCK: ReadonlySet<string> = new Set(['processedOn', 'finishedOn']);

/** `base`: `<prefix>:<queue>`. */
export function answersOf(look: Look, base: string, job: string): AtAnswer[] {
  const key = `${base}:${job}`;
  return [
    ...placeAnswers(look.places, base, job),
    answer(`GET ${key}:lock`, look.token, (token) => (token === undefined ? '(nil)' : quoted(token))),
    answer(`PTTL ${key}:lock`, look.lock, (lock) => `(integer) ${lock === undefined ? -2 : (lock.leftMs ?? -1)}`),
    answer(`SISMEMBER ${base}:stalled ${job}`, look.stalled, (isIn) => `(integer) ${isIn ? 1 : 0}`),
    ...hashAnswers(look, key),
  ];
}

function placeAnswers(reply: Look['places'], base: string, job: string): AtAnswer[] {
  if (!reply.known || reply.value.length === 0)
    return [answer(`the list or set of ${base} that holds ${job}`, reply, () => 'none')];
  return reply.value.map((place) => {
    const [set] = place.sets;
    const note = [
      reply.note,
      place.sets.length > 1 ? `in ${place.sets.join(', or ')}: which is not told` : '',
      due(place),
    ]
      .filter((text) => text !== undefined && text !== '')
      .join('; ');
    return {
      question: set === undefined ? '' : rangeOf(set, base),
      answer: `… ${quoted(job)} …`,
      known: true,
      ...(note === '' ? {} : { note }),
      refs: [...reply.refs],
    };
  });
}

const LISTS: ReadonlySet<QueueSet> = new Set(['wait', 'paused', 'active']);

const rangeOf = (set: QueueSet, base: string): string =>
  LISTS.has(set) ? `LRANGE ${base}:${set} 0 -1` : `ZRANGE ${base}:${set} 0 -1`;

function due({ sets: [set], score }: Place): string {
  if (set !== 'delayed' || score === undefined) return '';
  return `due ${formatUtc(Math.floor(score / SCORE_PER_MS), 'ms')}`;
}

function hashAnswers(look: Look, key: string): AtAnswer[] {
  const exists = answer(`EXISTS ${key}`, look.hash, (isThere) => `(integer) ${isThere ? 1 : 0}`);
  if (look.hash.known && !look.hash.value) return [exists];
  const of = (name: string): Reply<Field> => look.fields.get(name) ?? look.otherFields;
  const isThere = (name: string): boolean => {
    const reply = of(name);
    return reply.known && reply.value !== undefined;
  };
  const names = [...FIELDS, ...OLDER_FIELDS.filter(isThere)].filter((name) => !isOfOtherVersion(name, isThere));
  const unknown = names.filter((name) => !of(name).known);
  if (unknown.length === names.length) return [exists, answer(`HGETALL ${key}`, of('ats'), () => '')];
  return [exists, ...names.map((name) => fieldAnswer(name, of(name), key))];
}

/** Each version counts in fields of its own; the other's would only seem to be missing. */
const isOfOtherVersion = (name: string, isThere: (name: string) => boolean): boolean =>
  (name === 'atm' || name === 'ats' ? isThere('attemptsMade') && !isThere('ats') && !isThere('atm') : false) ||
  (name === 'stc' && isThere('stalledCounter') && !isThere('stc'));

function fieldAnswer(name: string, reply: Reply<Field>, key: string): AtAnswer {
  const told = answer(`HGET ${key} ${name}`, reply, (value) =>
    value === undefined ? '(nil)' : value === null ? 'set, and left out of this report' : quoted(value),
  );
  if (!WORKERS_CLOCK.has(name) || !reply.known || !/^\d{13}$/.test(reply.value ?? '')) return told;
  return { ...told, note: `${formatUtc(Number(reply.value), 'ms')} on the worker's clock` };
}

function answer<T>(question: string, reply: Reply<T>, print: (value: T) => string): AtAnswer {
  const refs = [...reply.refs];
  if (!reply.known) return { question, known: false, why: reply.why, refs };
  return {
    question,
    answer: print(reply.value),
    known: true,
    ...(reply.note === undefined ? {} : { note: reply.note }),
    refs,
  };
}

/** As redis-cli prints a string; characters beyond ASCII stay readable. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
