import { definePhrases } from './define-phrases.js';

/**
 * The handler began. A line whose object or subject is the job, or that says nothing but the verb, is a start; "starting
 * upload for job 12" may be the first line or one in the middle, and is marked soft.
 */
const BEGINNING =
  'start(?:ed|ing|s)?(?: (?:to )?(?:process(?:ing)?|handl(?:e|ing)|execut(?:e|ing|ion(?: of)?)|run(?:ning)?|work(?:ing)?(?: on)?|on|with))?|begin(?:ning|s)?(?: (?:to )?(?:process(?:ing)?|handl(?:e|ing)|execut(?:e|ing)|work(?:ing)?(?: on)?))?|began(?: processing)?|pick(?:ed|ing|s)? up|took(?: up)?|claim(?:ed|ing)|accept(?:ed|ing)|dequeu(?:ed|ing)|receiv(?:ed|ing|es)|fetched|got|launch(?:ed|ing)|resum(?:ed|ing|es)|new';
const GOING_ON =
  'process(?:ing|es)?|handl(?:ing|es)|run(?:ning|s)?|execut(?:ing|es)|consum(?:ing|ed|es)|work(?:ing|s) on|taking|continu(?:ing|es)|perform(?:ing|s)|enter(?:ed|ing)|invok(?:ed|ing)';
const THE_JOB =
  '(?:\\s+(?!(?:for|in|of|on|from|to|at|with|by|against|into|response|reply|answer|signal|result|error|step|stage|phase)\\b)["\'`<]?[\\w.:#-]{1,60}["\'`>]?){0,3}\\s+[\\["\'(#]?(?:job|task|message|item)s?\\b';
const RECEIVED_ELSE = '(?!\\s+(?:response|reply|answer|result|data|signal|from|ack|callback|\\d))';

/** "Starting job 12 at step 2": a start, for all that it speaks of a step. */
export const jobBeginnings = definePhrases({
  name: 'beginnings',
  mark: /start|beg[iau]n|pick|took|claim|accept|dequeu|receiv|fetch|got|launch|resum|new/,
  phrases: [
    // Of an attempt that is over, or of a worker: not this job's start.
    { kind: null, says: /\b(?:start|process|handl|run)\w* (?:\d+ (?:minutes?|seconds?|ms|s)\b.{0,10}\bago|at \d)/ },
    {
      kind: 'handler-started',
      says: new RegExp(`\\b(?:${BEGINNING})${THE_JOB}`),
      unless:
        /\bnew jobs?\b.{0,40}\b(?:added|created|queued|enqueued|scheduled)\b|\b(?:waiting|listening|looking|polling) for\b/,
    },
  ],
});

export const jobStarts = definePhrases({
  name: 'starts',
  mark: /[▶►▷]|start|beg[iau]n|process|handl|run|execut|consum|work|pick|took|tak|claim|accept|dequeu|receiv|got|launch|resum|continu|perform|enter|invok|active|attempt|try/,
  phrases: [
    { kind: 'handler-started', says: new RegExp(`\\b(?:${GOING_ON})${THE_JOB}`) },
    {
      kind: 'handler-started',
      says: new RegExp(
        `\\b(?:job|task)\\b(?:[ :#=[("'\`]{1,3}[^\\s[("'\`]{1,200}){0,3}?[\\])"'\`:,>\\s-]{1,4}(?:is |was |has |been |now |just |-> |→ ){0,3}(?:start(?:ed|ing|s)?|beg[iau]n(?:ning)?|processing|running|executing|picked up|received|claimed|accepted|dequeued|consumed|in process|resum(?:ed|ing)|taken|handling|launched)\\b${RECEIVED_ELSE}`,
      ),
      unless: /\bactive jobs?\b/,
    },
    {
      kind: 'handler-started',
      says: /^\W*(?:(?:handler|processor|worker|processing|execution|run|job|task|process|attempt \d{1,5}|\[?[\w.:#/-]{1,100}\]?)[ :>-]{1,3})?(?:has |is |was |now |just |been ){0,3}(?:start(?:ed|ing|s)?|begin|began|begun|beginning|processing|running|executing|picked up|picking up|received|handling|consuming|working|claimed|accepted|dequeued|in process|resum(?:ed|ing)|got it|taken|enter(?:ed|ing)?|invoked|called)(?: (?:now|handler|processor|processing|execution|run|work|up|it|\(?attempt:? #?\d{1,5}(?: ?(?:\/|of) ?\d{1,5})?\)?)){0,4}(?:\W{1,4}(?:\d{1,19}|[0-9a-f]{8}-[0-9a-f-]{27}))?\W*$/,
    },
    // "Batch run started", as "batch run finished" is an end.
    {
      kind: 'handler-started',
      says: /^\W*(?:[\w-]{1,40} ){1,2}(?:run|processing|handling|execution|handler|processor) (?:has |is |was |now ){0,2}(?:started|starting|begun|began|beginning)\W*$/,
      unless: /\b(?:dry|test|trial) run\b/,
    },
    { kind: 'handler-started', soft: true, says: /^[▶►▷]\ufe0f?\s{0,2}(?:job\b|#?\d)/ },
    // A line of the worker's `active` event: it comes with the activation, not from the handler.
    {
      kind: 'handler-started',
      soft: true,
      says: /\bjob\b.{0,80}(?:\b(?:is |now ){1,2}|(?:->|→|=>|\bto) )active\b|^\W*(?:job )?active\W*$/,
    },
    {
      kind: 'handler-started',
      says: /\btaken (?:from|off) (?:the )?(?:\w{1,30} )?queue\b|\bpick(?:ed|ing)(?: \S{1,80}){1,3} up\b|^\W*(?:attempt|try|run) #?\d{1,5}(?: ?(?:\/|of) ?\d{1,5})?\W*$/,
    },
    {
      kind: 'handler-started',
      soft: true,
      says: new RegExp(
        `^\\W*(?:start(?:ed|ing)?|begin(?:ning)?|began|processing|handling|running|executing|consuming|working on|performing|resum(?:ed|ing)|continuing|launch(?:ed|ing)|picked up|received|got|dequeued|consumed|claimed)\\b${RECEIVED_ELSE}`,
      ),
    },
  ],
});

/**
 * Said by the side that adds jobs, or by an API about them: nothing the handler did. "Created invoice for job 12" is the
 * handler's.
 */
export const producerWords = definePhrases({
  name: 'producer',
  mark: /add|queue|creat|schedul|dispatch|publish|submit|remov|clean|fetch|get|list|poll|promot/,
  phrases: [
    {
      kind: null,
      says: /\b(?:added|adding|add|enqueued|enqueueing|enqueuing|queued|queueing|dispatched|dispatching|submitted|published|pushed|scheduled|scheduling|created|creating)\b(?: (?!(?:of|for|from|by|in|on|with) (?:the )?(?:job|task)\b)\S{1,80}){0,6}? (?:job|task|to (?:the )?(?:\S{1,60} )?queue|in (?:the )?queue|for (?:later|processing))\b|\bjob\b(?: \S{1,80}){0,3} (?:was |has been |is )?(?:added|enqueued|queued|dispatched|submitted|created|scheduled|promoted|removed|cleaned|deleted)\b/,
      unless: /\bre-?(?:queued|enqueued|scheduled)\b/,
    },
    {
      kind: null,
      says: /\b(?:get|fetch|poll|check|quer|list|look)\w*(?: \S{1,40}){0,3} (?:status|state|list|result)s? (?:of|for)\b/,
    },
  ],
});
