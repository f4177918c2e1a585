/** What a record says of the process that wrote it: its life, its link to Redis, its event loop, its settings. */
import type { EventKind } from '../../model/event.js';
import type { LogRecord, RecordError } from '../record.js';
import { addLabel, oneLine } from './details.js';
import { lagIn } from './event-loop.js';
import { readEventName } from './event-names.js';
import { type DataDraft, type Finding, orNone, type Verdict } from './finding.js';
import { queueOf } from './job-record.js';
import { readText, type TextReading } from './read-text.js';
import { NETWORK_CODE, REDIS_WORDS } from './redis-link.js';
import { CLOSING_WORDS } from './worker-life.js';

const MAX_ERROR = 4096;
const WORKER_LABEL = /worker|consumer|processor|queue/i;
const ASKED_TO_STOP = /^sig(?:term|int|hup|quit|usr2)$/i;
const ABOUT_ANOTHER = /\bchild\b|\bexit|\bkilled\b|\bterminated\b|\bspawn/;
const PROCESS_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'worker-ready',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'event-loop-lag',
]);

export function aboutProcess(
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): readonly Finding[] | undefined {
  const { fields } = record;
  const found: Finding[] = [];
  const queue = queueOf(fields, text);
  const add = ({ kind, soft }: Verdict): void => {
    const data: DataDraft = {};
    if (soft) data.soft = true;
    addLabel(data, queue, fields);
    addData(data, kind, record, text, error);
    found.push({ kind, queue, data: orNone(data) });
  };
  const verdict = judge(record, text, error);
  const signal = signalOf(record, text);
  if (verdict?.kind === 'worker-closing' && signal !== undefined) add({ kind: 'worker-signal' });
  if (verdict) add(verdict);
  if (verdict?.kind === 'worker-signal' && CLOSING_WORDS.test(text.lower)) add({ kind: 'worker-closing' });
  const settings = fields.settings ?? text.fields.settings;
  if (settings !== undefined && fields.request === undefined)
    found.push({ kind: 'settings', queue, data: { settings } });
  return found.length > 0 ? found : undefined;
}

function judge(record: LogRecord, text: TextReading, error: RecordError | undefined): Verdict | undefined {
  const { fields } = record;
  const event = fields.event ?? text.fields.event;
  const named = event === undefined ? undefined : readEventName(event);
  if (named?.kind && PROCESS_EVENTS.has(named.kind)) return { kind: named.kind };
  if ((fields.lagMs ?? text.fields.lagMs) !== undefined && /lag|block|delay|loop/.test(text.lower)) {
    return { kind: 'event-loop-lag' };
  }
  const phrase = text.words.process() ?? withLabel(record);
  if (phrase?.kind && isBelieved(phrase.kind, text.lower, record, error))
    return { kind: phrase.kind, soft: phrase.soft };
  // A field of that name, and nothing that says it is another process's: `{"signal":"SIGTERM","msg":"proc.signal"}`.
  const told = fields.signal ?? text.fields.signal;
  if (told !== undefined && ASKED_TO_STOP.test(told) && !ABOUT_ANOTHER.test(text.lower))
    return { kind: 'worker-signal' };
  const said = error?.message ?? fields.errorText ?? text.fields.errorText;
  if (said !== undefined) {
    const inner = readText(said.slice(0, MAX_ERROR));
    const kind = inner.words.process()?.kind;
    if (kind?.startsWith('redis-') && isBelieved(kind, `${text.lower} ${inner.lower}`, record, error)) return { kind };
  }
  if (error?.stack?.includes('\nNode.js v')) return { kind: 'process-crashed' };
  const words = event === undefined ? undefined : readText(event.replace(/[._:/-]+/g, ' ')).words.process();
  return words?.kind ? { kind: words.kind, soft: words.soft } : undefined;
}

/** "started" alone says nothing, said by a logger called `mail-worker` it does. */
function withLabel(record: LogRecord) {
  const label = record.fields.label;
  if (label === undefined || record.message.length > 80 || !WORKER_LABEL.test(label)) return undefined;
  const phrase = readText(`${label} ${record.message}`).words.process();
  return phrase?.kind?.startsWith('worker-') ? phrase : undefined;
}

/** A code such as ECONNRESET is Redis' only where something says so, or where nothing else could be meant. */
function isBelieved(kind: EventKind, words: string, record: LogRecord, error: RecordError | undefined): boolean {
  if (kind !== 'redis-lost' || !NETWORK_CODE.test(words)) return true;
  const stack = (error?.stack ?? record.fields.errorStack ?? '').slice(0, 8192);
  if (REDIS_WORDS.test(words) || /ioredis|bullmq|redis/.test(stack)) return true;
  return (
    record.format === 'error-text' &&
    !/:\d{2,5}\b/.test(words) &&
    !/axios|fetch|http|undici|pg-pool|mongo|got\b/i.test(stack)
  );
}

/** Details of a process's event. */
export function addData(
  data: DataDraft,
  kind: EventKind,
  record: LogRecord,
  text: TextReading,
  error: RecordError | undefined,
): void {
  const { fields } = record;
  const said = error?.message ?? fields.errorText ?? text.fields.errorText;
  switch (kind) {
    case 'worker-signal': {
      const signal = signalOf(record, text);
      if (signal !== undefined) data.signal = signal;
      return;
    }
    case 'process-ended': {
      const code = fields.exitCode ?? text.fields.exitCode;
      const signal =
        fields.signal ?? text.fields.signal ?? exitIn(text.lower) ?? (code === undefined ? undefined : String(code));
      if (signal !== undefined) data.signal = signal.toUpperCase();
      data.text = oneLine(record.message);
      return;
    }
    case 'event-loop-lag': {
      const stated = fields.lagMs ?? text.fields.lagMs ?? fields.durationMs ?? text.fields.durationMs;
      const lag = stated ?? lagIn(text.lower);
      if (lag !== undefined) data.lagMs = lag;
      return;
    }
    case 'process-crashed':
    case 'redis-lost':
    case 'redis-refused':
      data.text = oneLine(said ?? record.message);
      return;
    default:
  }
}

function signalOf(record: LogRecord, text: TextReading): string | undefined {
  const signal = (record.fields.signal ?? text.fields.signal ?? signalIn(text.lower))?.toUpperCase();
  return signal !== undefined && /^SIG[A-Z]{2,6}\d?$/.test(signal) ? signal : undefined;
}

function signalIn(lower: string): string | undefined {
  return /\bsig(?:term|int|hup|quit|usr2|kill|abrt|segv)\b/.exec(lower)?.[0];
}

/** Exit code or signal: `code 137`, `code [1] via signal [SIGINT]`, `OOMKilled`. */
function exitIn(lower: string): string | undefined {
  if (/\boom/.test(lower)) return 'OOMKilled';
  const signal = signalIn(lower);
  if (signal !== undefined) return signal;
  const code =
    /\b(?:code|status|exited|exit|exitcode)[ :=["']{0,3}(?:with |code |status )?[ :=["']{0,3}(\d{1,3})\b/.exec(lower);
  return code?.[1] ?? (/\bkilled\b/.test(lower) ? 'SIGKILL' : undefined);
}
