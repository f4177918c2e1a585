import { definePhrases } from './define-phrases.js';

/**
 * The handler began. A line whose object or subject is the job, or that says nothing but the verb, is a start; "starting
 * upload for job 12" may be the first line or one in the middle, and is marked soft.
 */
const STARTING =
  'start(?:ed|ing|s)?(?: (?:to )?(?:process(?:ing)?|handl(?:e|ing)|execut(?:e|ing|ion(?: of)?)|run(?:ning)?|work(?:ing)?(?: on)?|on|with))?|begin(?:ning|s)?(?: (?:to )?(?:process(?:ing)?|handl(?:e|ing)|execut(?:e|ing)|work(?:ing)?(?: on)?))?|began(?: processing)?|process(?:ing|es)?|handl(?:ing|es)|run(?:ning|s)?|execut(?:ing|es)|consum(?:ing|ed|es)|work(?:ing|s) on|pick(?:ed|ing|s)? up|took(?: up)?|taking|claim(?:ed|ing)|accept(?:ed|ing)|dequeu(?:ed|ing)|receiv(?:ed|ing|es)|fetched|got|launch(?:ed|ing)|resum(?:ed|ing|es)|continu(?:ing|es)|perform(?:ing|s)|enter(?:ed|ing)|invok(?:ed|ing)|new';
const BETWEEN =
  '(?:\\s+(?!(?:for|in|of|on|from|to|at|with|by|against|into|response|reply|answer|signal|result|error)\\b)["\'`<]?[\\w.:#-]{1,60}["\'`>]?){0,3}';

export const jobStarts = definePhrases({
  name: 'starts',
  mark: /start|beg[iau]n|process|handl|run|execut|consum|work|pick|took|tak|claim|accept|dequeu|receiv|fetch|got|launch|resum|continu|perform|enter|invok|new|active|attempt|→|▶/,
  phrases: [
    // Of an attempt that is over, or of a worker: not this job's start.
    {
      kind: null,
      says: /\b(?:start|process|handl|run)\w* (?:\d+ (?:minutes?|seconds?|ms|s)\b.{0,10}\bago|at \d)|\bno longer\b/,
    },
    {
      kind: 'handler-started',
      says: new RegExp(`\\b(?:${STARTING})${BETWEEN}\\s+[\\["'(#]?(?:job|task|message|item)s?\\b`),
    },
    {
      kind: 'handler-started',
      says: /\b(?:job|task)\b(?:[ :#=[("'`]{0,3}[^\s]{1,200}){0,3}?[\])"'`:,>\s-]+(?:is |was |has |has been |now |is now |just |-> |→ )?(?:start(?:ed|ing|s)?|beg[iau]n(?:ning)?|processing|running|executing|picked up|received|claimed|accepted|dequeued|consumed|active|in process|resum(?:ed|ing)|taken|handling|launched)\b/,
    },
    {
      kind: 'handler-started',
      says: /^\W*(?:(?:handler|processor|worker|processing|execution|run|job|task|process|attempt \d+|\[?[\w.-]+\]?)[ :>-]+)?(?:start(?:ed|ing|s)?|begin|began|begun|beginning|processing|running|executing|picked up|picking up|received|handling|consuming|working|active|claimed|accepted|dequeued|in process|resum(?:ed|ing)|got it|taken|enter(?:ed|ing)?)(?: (?:now|handler|processor|processing|execution|run|work|up|it|\(?attempt:? #?\d+(?: ?(?:\/|of) ?\d+)?\)?))*\W*$/,
    },
    {
      kind: 'handler-started',
      says: /\bpick(?:ed|ing)(?: \S{1,80}){0,3} up\b|^\W*(?:attempt|try|run) #?\d+(?: ?(?:\/|of) ?\d+)?\W*$/,
    },
    {
      kind: 'handler-started',
      soft: true,
      says: /^\W*(?:start(?:ed|ing)?|begin(?:ning)?|began|processing|handling|running|executing|consuming|working on|performing|resum(?:ed|ing)|continuing|launch(?:ed|ing)|picked up|received|got|dequeued|consumed|claimed)\b/,
      unless: /^\W*(?:received|got) (?:response|reply|answer|result|data|signal|\d)/,
    },
  ],
});

/** Said by the side that adds jobs, or by an API about them: nothing the handler did. */
export const producerWords = definePhrases({
  name: 'producer',
  mark: /add|queue|creat|schedul|dispatch|publish|submit|remov|clean|fetch|get|list|poll|promot/,
  phrases: [
    {
      kind: null,
      says: /\b(?:added|adding|add|enqueued|enqueueing|enqueuing|queued|queueing|dispatched|dispatching|submitted|published|pushed|scheduled|scheduling|created|creating)\b(?: \S{1,80}){0,6}? (?:job|task|to (?:the )?(?:\S{1,60} )?queue|in (?:the )?queue|for (?:later|processing))\b|\bjob\b(?: \S{1,80}){0,3} (?:was |has been |is )?(?:added|enqueued|queued|dispatched|submitted|created|scheduled|promoted|removed|cleaned|deleted)\b/,
      unless: /\bre-?(?:queued|enqueued|scheduled)\b/,
    },
    {
      kind: null,
      says: /\b(?:get|fetch|poll|check|quer|list|look)\w*(?: \S{1,40}){0,3} (?:status|state|list|result)s? (?:of|for)\b/,
    },
  ],
});
