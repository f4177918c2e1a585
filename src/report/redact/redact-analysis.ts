/**
 * The same analysis without the names in it. Every report is rendered from the result, so that none of them can hold what another
 * leaves out. A string is redacted as a sentence unless something better is known of its place here; what the schema gives a fixed
 * set of words stays.
 */
import { createHash } from 'node:crypto';
import { type Analysis, analysisSchema } from '../../model/analysis.js';
import { BOUNDARY_NAMES } from '../../model/boundaries.js';
import { type Names, namesOf } from './names-of.js';
import { createPseudonyms, type NameKind, type Pseudonyms } from './pseudonyms.js';
import { redactPath } from './redact-path.js';
import { createTextRedaction, type RedactText } from './redact-text.js';

/** @param key whoever has it can try out names; `createPseudonyms` */
export function redactAnalysis(analysis: Analysis, key: string): Analysis {
  const pseudonyms = createPseudonyms(key);
  const names = new Map(namesOf(analysis, pseudonyms));
  for (const { id, path } of analysis.sources) {
    names.set(path, redactPath(path, pseudonyms));
    // A reference may call its source by its number.
    names.set(id, id);
  }
  const text = createTextRedaction(names, pseudonyms);
  const walk = walker({ names, pseudonyms, text, ids: findingIds(analysis, names) });
  const redacted = analysisSchema.parse({ ...Object(walk(analysis, [])), redacted: true });
  redacted.run.options = [...new Set([...redacted.run.options, '--redact'])].sort();
  return redacted;
}

interface Redaction {
  readonly names: Names;
  readonly pseudonyms: Pseudonyms;
  readonly text: RedactText;
  /** Ids of findings are made of queue and job. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Names of members around a string, outermost first, without the numbers of lists. */
type Place = readonly string[];

function walker(redaction: Redaction): (value: unknown, place: Place) => unknown {
  const walk = (value: unknown, place: Place, beside: object): unknown => {
    if (typeof value === 'string') return redactString(value, place, beside, redaction);
    if (Array.isArray(value)) return value.map((one: unknown) => walk(one, place, beside));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).filter(([name]) => name !== 'quote');
    return Object.fromEntries(members.map(([name, one]) => [name, walk(one, [...place, name], value)]));
  };
  return (value, place) => walk(value, place, {});
}

/** Members whose words are ours: names in them would be no names. */
const OURS: ReadonlySet<string> = new Set(
  (
    'schema version kind format precision basis status boundary cause rule duplicate how ended change verdict class outcome role state ' +
    'sha256 at from to bytes started completed keeps entry'
  ).split(' '),
);

const KIND_OF: Readonly<Record<string, NameKind>> = {
  queue: 'queue',
  queues: 'queue',
  job: 'job',
  jobs: 'job',
  jobName: 'jobname',
  worker: 'worker',
  host: 'host',
  pod: 'pod',
  scope: 'key',
};

function redactString(value: string, place: Place, beside: object, redaction: Redaction): string {
  const { names, pseudonyms, text, ids } = redaction;
  const name = place.at(-1) ?? '';
  const inside = place[0] ?? '';
  const known = (kind: NameKind): string =>
    names.get(value) ?? (/^\d{1,19}$/.test(value) ? value : pseudonyms.of(kind, value));
  switch (name) {
    case 'entry':
      return place.includes('packing') ? redactPath(value, pseudonyms) : value;
    case 'source':
    case 'sources':
    case 'path':
      return names.get(value) ?? redactPath(value, pseudonyms);
    case 'digest':
      return pseudonyms.digest(value);
    case 'id':
      if (inside === 'sources' || inside === 'proof') return value;
      if (place.length === 2 && inside === 'findings') return ids.get(value) ?? value;
      return known(inside === 'workers' ? 'worker' : 'job');
    case 'finding':
    case 'findings':
    case 'decides':
      return ids.get(value) ?? text(value);
    case 'clock':
      return ['redis', 'worker', 'producer', 'shipper'].includes(value) ? value : text(value);
    case 'token':
    case 'tokenPrefixes':
      return redactToken(value, redaction);
    case 'key':
      return inside === 'records' && !place.includes('ref') ? known('key') : redactKey(value, redaction);
    case 'name':
      if (inside === 'workers') return known('worker');
      return inside === 'stories' ? known('jobname') : inside === 'records' ? pseudonyms.of('store', value) : value;
    case 'options':
      return redactOption(value, redaction);
    case 'detail':
      return 'what' in beside && String(beside.what).startsWith('not understood')
        ? pseudonyms.of('text', value)
        : text(value);
    case 'value':
      return redactValue(value, place, beside, redaction);
    case 'answer':
      return redactAnswer(value, beside, redaction);
    case 'status':
      // Of a finding it is ours, of a record it is verbatim.
      return place.includes('shown') ? pseudonyms.of('text', value) : value;
    case 'text':
      return redactStep(value, beside, redaction);
    case 'scope':
      return inside === 'records' ? known('key') : text(value);
  }
  const kind = KIND_OF[name];
  if (kind !== undefined) return names.get(value) ?? (text(value) === value ? known(kind) : text(value));
  return OURS.has(name) ? value : text(value);
}

function redactToken(token: string, { names, pseudonyms }: Redaction): string {
  const [prefix = '', ...rest] = token.split(':');
  return [names.get(prefix) ?? pseudonyms.of('token', prefix), ...rest].join(':');
}

/** What Redis keys hold beside names. */
const KEY_PART =
  /^(?:bull|lock|events|meta|id|wait|paused|active|delayed|prioritized|completed|failed|stalled|waiting-children|repeat|marker|pc|limiter|de|logs|dependencies|processed|stalled-check|\d+|(?:queue|job)-[0-9a-f]{10})$/;

/** A key of a queue keeps its shape; another is a name as a whole. */
function redactKey(key: string, { text, pseudonyms }: Redaction): string {
  const redacted = text(key);
  return redacted.split(':').every((part) => KEY_PART.test(part)) ? redacted : pseudonyms.of('key', key);
}

const NAMING_OPTIONS = /^(--(?:job|queue|worker|prefix|format|columns)) (.*)$/s;

function redactOption(option: string, { pseudonyms, text }: Redaction): string {
  const named = NAMING_OPTIONS.exec(option);
  return named === null ? text(option) : `${named[1]} ${pseudonyms.of('option', named[2] ?? '')}`;
}

/** Numbers, times and settings of Redis are no names. */
const PLAIN_VALUE =
  /^(?:-?[\d.,]+ ?(?:%|[kmgt]i?b?|ms|s|min|h)?|[\d-]+T[\d:.]+Z?(?: to [\d-]+T[\d:.]+Z?)?|noeviction|(?:allkeys|volatile)-\w+|yes|no|ok|err|up|down|master|slave|replica|on|off|UTC|[+-]\d\d:\d\d|\d+(?:\/| of )\d+)$/i;
const CONNECTED_FOR = /^(?:connected|idle) for [\d. a-z]+$/;

function redactValue(value: string, place: Place, beside: object, { names, pseudonyms, text }: Redaction): string {
  if (PLAIN_VALUE.test(value)) return value;
  if (place.includes('progress')) return pseudonyms.of('step', value);
  const name = 'name' in beside ? String(beside.name) : '';
  if (name.startsWith('queue of')) return names.get(value) ?? pseudonyms.of('queue', value);
  if (name.startsWith('words for')) return pseudonyms.of('text', value);
  if (place[0] !== 'observed') return text(value);
  if (name === 'slowlog') return value.replace(/^(\S+ [\d.]+ \w+ \w+).*$/s, '$1');
  if (!name.startsWith('connected')) return pseudonyms.of('text', value);
  return value
    .split(', ')
    .map((part) =>
      CONNECTED_FOR.test(part) || /^[a-z]{3,12}$/.test(part) ? part : (names.get(part) ?? connection(part, pseudonyms)),
    )
    .join(', ');
}

const connection = (part: string, pseudonyms: Pseudonyms): string =>
  pseudonyms.of(/^[\d.:a-f[\]]+$/i.test(part) ? 'ip' : 'worker', part);

/** What redis-cli would have printed: numbers and known names stay told. */
function redactAnswer(answer: string, beside: object, { text, pseudonyms }: Redaction): string {
  const redacted = text(answer);
  const question = 'question' in beside ? String(beside.question) : '';
  if (!/ (?:name|failedReason|progress|pb)$/.test(question)) return redacted;
  return /^"-?[\d.]*"$|^\(nil\)$|^set, and/.test(answer) ? answer : `"${pseudonyms.of('text', answer)}"`;
}

/** A record of progress names a step of the application. */
function redactStep(step: string, beside: object, { text, pseudonyms }: Redaction): string {
  const progress =
    'kind' in beside && /progress$/.test(String(beside.kind)) ? /^progress (.*)$/s.exec(step)?.[1] : undefined;
  if (progress === undefined) return text(step);
  return `progress ${PLAIN_VALUE.test(progress) ? progress : pseudonyms.of('step', progress)}`;
}

/** `boundary.queue.job` with the pseudonyms of both; parts that were hashes because they were unsafe stay hashes. */
function findingIds(analysis: Analysis, names: Names): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { id, boundary, jobs } of analysis.findings) {
    const [first] = jobs;
    if (!BOUNDARY_NAMES.includes(boundary) || first === undefined) continue;
    const part = (name: string | undefined): string => safePart(names.get(name ?? '') ?? name ?? 'unknown');
    ids.set(id, `${boundary}.${part(first.queue)}.${part(first.id)}`);
  }
  return ids;
}

/** As ids of findings are made. */
const safePart = (text: string): string =>
  /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 12);
