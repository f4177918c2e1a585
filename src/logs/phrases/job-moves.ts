import { definePhrases } from './define-phrases.js';

/**
 * The handler gave its job another state itself: to come back later, to wait for children, or finished by hand. What it does
 * after that is the matter of the step-transition boundary.
 */
export const jobMoves = definePhrases({
  name: 'moves',
  mark: /mov|schedul|defer|postpon|park|snooz|delay|waiting for|mark|manual|put back|back to|rate[- ]?limit|requeue|re-queue|suspend|resum|yield|come back|run again|children|paus/,
  phrases: [
    {
      kind: 'moved-by-handler',
      command: 'moveToFinished',
      says: /\b(?:mark(?:ed|ing|s)?|flag(?:ged)?|set)(?: (?:job|it|as|the|this|#?[\w-]+)){0,4}? (?:as )?(?:completed?|finished|done|failed|successful)\b|\bmove(?:d|s)?[ -]?to[ -]?completed?\b|\bmoved(?: job)?(?: #?[\w-]+)? to (?:the )?completed\b|\b(?:manually|by hand) (?:completed?|finished|acked|acknowledged|failed)\b|\b(?:completed?|finished|acked|acknowledged|failed) (?:it |job )?(?:manually|by hand)\b|\bmovetofailed\b/,
    },
    {
      kind: 'moved-by-handler',
      command: 'moveToDelayed',
      says: /\bmov(?:e|ed|es|ing)[ -]?(?:\w+ ){0,3}?(?:back )?(?:in)?to[ -]?(?:the )?delayed\b|\bmovetodelayed\b|\b(?:re-?scheduled|re-?scheduling|deferred|deferring|postponed|postponing|snoozed|snoozing|re-?delayed)\b|\bdelay(?:ed|ing)(?: job)?(?: #?[\w-]+)? (?:by|for|until|till)\b|\b(?:job|it) (?:#?[\w-]+ )?(?:was |is |has been )?delayed\b/,
      unless: /\brescheduled? (?:cron|repeat)|\bfailed\b|backoff/,
    },
    {
      kind: 'moved-by-handler',
      command: 'moveToWaitingChildren',
      says: /\bmov(?:e|ed|es|ing)[ -]?(?:\w+ ){0,3}?(?:in)?to[ -]?(?:the )?waiting[ -]?children\b|\bmovetowaitingchildren\b|\bwaiting (?:for|on) (?:its |the |all |\d+ )?(?:pending |remaining )?(?:child(?:ren)?|dependenc(?:y|ies)|subtasks?)\b/,
      on: 'as-written',
    },
    {
      kind: 'moved-by-handler',
      says: /\bmov(?:e|ed|es|ing)[ -]?(?:\w+ ){0,3}?(?:back )?(?:in)?to[ -]?(?:the )?(?:wait(?:ing)?|prioritized|queue)\b|\bmovetowait\b|\b(?:put|released|returned|sent|given|handed) back (?:in|on|to)(?:to)? (?:the )?(?:queue|wait)|\b(?:re-?queued|re-?enqueued)\b|\bparked\b|\bparking\b|\bsuspended\b/,
      unless: /\bstalled|\bfailed\b/,
    },
    {
      kind: 'moved-by-handler',
      soft: true,
      on: 'as-written',
      says: /\bchild(?:ren| jobs)\b.{0,30}\bwaiting\b|\b(?:paus|suspend)\w+\b.{0,20}\buntil (?:all |its |the )?(?:child|sub)|\bwaiting (?:for|on) (?:its |the )?next (?:step|stage|phase|run|turn|tick)\b|\brate[- ]?limited\b|\bwill (?:continue|resume|come back|run again|be resumed) (?:later|in \d|at \d|after|when|once)\b/,
    },
  ],
});
