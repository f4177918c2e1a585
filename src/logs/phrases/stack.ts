/**
 * What the frames of a stack say about a BullMQ error: which of its functions reported it, and which version it is.
 *
 * Function names: `Worker.handleCompleted`, `Worker.handleFailed`, `Worker.extendLocks` (up to 5.63), `LockManager`
 * (5.63.2 and later), `finished-errors.js` (6). A stack that leaves BullMQ into the application's own file before it
 * meets one of those was begun by the application: it finished or moved the job itself.
 */

export interface StackReading {
  readonly frame?: 'handle-completed' | 'handle-failed' | 'renewal' | 'user';
  readonly bullmq?: string;
}

const MAX_STACK = 16_384;
const VERSION = /[/\\+]bullmq@(\d{1,3}\.\d{1,4}\.\d{1,4}(?:-[\w.]{1,30})?)/;
const BULL_PATH = /[/\\](?:\.pnpm[/\\])?bull(?:mq)?(?:[@-][^/\\]{0,60})?[/\\]/;
const BULL_FUNCTION =
  /^(?:async )?(?:Scripts|RedisQueueBackend|LockManager|QueueBase|Backoffs|FlowProducer)\.|^(?:async )?(?:new )?finishedErrors|^(?:async )?Job\.(?:moveTo|updateProgress|updateData|log|retry|promote|changeDelay|remove|extendLock|discard)|^(?:async )?Worker\.(?:handle(?:Completed|Failed)|process(?:Job|File)|retryIfFailed|mainLoop|run|extend\w*|trace|callProcessJob|moveToActive|getNextJob|nextJobFromJobData|moveStalledJobsToWait|whenCurrentJobsFinished)|^(?:async )?Queue\.(?:trace|moveJob)/;
const FRAME = /^\s{0,60}at (?:(?<fn>.{1,200}?) \()?(?<place>.{1,600}?)\)?\s*$/;
/** As error trackers print them, whatever the language. */
const TRACKER_FRAME = /^\s{0,60}File "(?<place>[^"]{1,600})", line \d{1,9}(?:, col \d{1,9})?, in (?<fn>.{1,200}?)\s*$/;
const NO_PLACE = /^(?:node:|internal\/|native$|<anonymous>$|index \d)/;

/** Reads the frames of a stack, innermost first. */
export function readStack(stack: string): StackReading {
  const text = stack.length > MAX_STACK ? stack.slice(0, MAX_STACK) : stack;
  const bullmq = VERSION.exec(text)?.[1] ?? (/[/\\]finished-errors\.[cm]?js/.test(text) ? '6' : undefined);
  const frame = frameOf(text);
  return { ...(frame && { frame }), ...(bullmq !== undefined && { bullmq }) };
}

function frameOf(text: string): StackReading['frame'] {
  let insideBull = false;
  for (const line of text.split('\n', 80)) {
    const match = FRAME.exec(line.slice(0, 900)) ?? TRACKER_FRAME.exec(line.slice(0, 900));
    if (!match) continue;
    const fn = match.groups?.fn ?? '';
    const place = (match.groups?.place ?? '').replace(/^async /, '');
    if (/handleCompleted/.test(fn)) return 'handle-completed';
    if (/handleFailed/.test(fn)) return 'handle-failed';
    if (/extendLocks|LockManager|startLockExtender/.test(fn) || /[/\\]lock-manager\./.test(place)) return 'renewal';
    if (
      NO_PLACE.test(place) ||
      place.includes('(node:') ||
      /^(?:async )?(?:Promise\.|new Promise|process\.|Timeout\.)/.test(fn)
    )
      continue;
    if (BULL_FUNCTION.test(fn) || BULL_PATH.test(place)) {
      insideBull = true;
      continue;
    }
    // Another package in between (tracing, a Redis client) does not tell who called.
    if (/[/\\]node_modules[/\\]/.test(place)) continue;
    if (insideBull) return 'user';
  }
  return undefined;
}
