/**
 * Names of events, as workers and their listeners log them (`event: "completed"`, `evt: "job.started"`,
 * `queue.worker.lock_renewal_failed`). A name marks its line as nothing else can: the events of a BullMQ or Bull worker
 * are emitted after Redis has answered.
 */
import type { EventKind } from '../../model/event.js';

export interface EventNameReading {
  /** Null: the event is known and says nothing about a run. */
  readonly kind: EventKind | null;
  readonly soft?: true;
}

const NAMES: Readonly<Record<string, EventNameReading>> = {
  ...names('completed complete oncompleted jobcompleted globalcompleted succeeded success', 'acknowledged'),
  ...names('failed failure onfailed jobfailed globalfailed', 'attempt-failed'),
  ...names('stalled stall onstalled jobstalled globalstalled', 'stalled-notice'),
  ...names(
    'lockrenewalfailed lockextensionfailed lockrenewfailed onlockrenewalfailed lockextendfailed renewalfailed renewfailed',
    'renewal-failed',
  ),
  ...names('locklost lostlock', 'renewal-failed'),
  ...names(
    'started start jobstarted begin begun processing process processstart pickedup pickup running handling received dequeued consuming handlerstarted handlerstart',
    'handler-started',
  ),
  ...names(
    'finished finish done processed handled returned return handlerfinished handlerdone handlerend handlerreturned processfinished processdone processend end ended',
    'handler-returned',
  ),
  ...names('progress onprogress progressed step checkpoint heartbeat progressupdate', 'handler-progress'),
  ...names('threw thrown exception handlererror handlerfailed processorerror handlerthrew joberror', 'handler-threw'),
  ...names(
    'moved movedtodelayed movetodelayed rescheduled deferred postponed parked movedtowait movetowait movetowaitingchildren movedtowaitingchildren',
    'moved-by-handler',
  ),
  ...names('ready workerready workerstarted workerstart online listening onready', 'worker-ready'),
  ...names('closing workerclosing shuttingdown shutdown draining stopping workerstopping onclosing', 'worker-closing'),
  ...names('closed workerclosed stopped workerstopped onclosed', 'worker-closed'),
  ...names('uncaughtexception unhandledrejection', 'process-crashed'),
  ...names('eventlooplag eventloopblocked looplag eventloopdelay', 'event-loop-lag'),
  // The worker's `active` comes with the activation, before or after the handler's own first line.
  ...names('active onactive jobactive globalactive activated', 'handler-started', true),
  ...names(
    'waiting added enqueued queued scheduled delayed waitingchildren drained paused resumed removed cleaned locksrenewed duplicated debounced deduplicated retriesexhausted created',
    null,
  ),
};

function names(words: string, kind: EventKind | null, soft = false): Record<string, EventNameReading> {
  const reading: EventNameReading = soft ? { kind, soft: true } : { kind };
  return Object.fromEntries(words.split(' ').map((word) => [word, reading]));
}

/** What an event name says, or undefined for a name of the application's own. */
export function readEventName(name: string): EventNameReading | undefined {
  if (name.length > 80) return undefined;
  const whole = own(letters(name));
  if (whole) return whole;
  // `queue.worker.lock_renewal_failed`, `job:completed`, `worker/ready`, `completed:12`
  const parts = name.split(/[.:/|\s]+/).filter((part) => part !== '');
  if (parts.length > 1 && /^(?:\d+|[0-9a-f-]{36})$/.test(parts.at(-1) ?? '')) parts.pop();
  return (
    own(letters(parts.at(-1) ?? '')) ??
    own(letters(name.replace(/^(?:bull(?:mq)?|queue|worker|job|on)(?=[^a-z])[^a-z]*/i, '')))
  );
}

function own(key: string): EventNameReading | undefined {
  const bare = key.replace(/^(?:queue|bullmq|bull)/, '').replace(/event$/, '');
  return look(key) ?? look(bare) ?? look(bare.replace(/^(?:job|worker)/, ''));
}

function look(key: string): EventNameReading | undefined {
  return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
