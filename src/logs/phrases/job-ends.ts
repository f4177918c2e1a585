import { definePhrases } from './define-phrases.js';

/** The worker's own news of a job, in words alone. An event's name would be proof; words are marked soft. */
export const workerNews = definePhrases({
  name: 'worker-news',
  mark: /stall|lock|complet|succe|fail|exhaust|gave up|giving up|allowable|attempts|retries/,
  phrases: [
    { kind: 'attempt-failed', says: /\b(?:stalled|started) more than (?:allowable limit|maxstalledcount)\b/ },
    {
      kind: 'renewal-failed',
      on: 'as-written',
      says: /\block[ -]?(?:renewal|extension|refresh)[ -]?(?:has |was )?(?:failed|failure|error|lost|rejected|missed)|\b(?:failed|fails|unable|could not|couldn't|cannot|can't|not able)(?: to)? (?:renew|extend|refresh|prolong)(?: (?:the|its|job|our)){0,2} locks?\b|\b(?:lost|loses|losing)(?: (?:the|its|our|job|my|ownership of))* locks?\b|\blocks?(?: (?:of|for|on) .{1,60}?)? (?:was |is |has been |has )?(?:lost|expired|gone|stolen)\b|\bno longer (?:owns?|holds?)(?: the| its)? locks?\b/,
    },
    { kind: null, says: /\blocks? (?:was |has been |is )?(?:renewed|extended|refreshed|acquired|taken)\b/ },
    {
      kind: 'stalled-notice',
      says: /\bstalled\b|\bstall (?:detected|event|notice)\b|\bstalling\b/,
      unless: /stalled[- ]?(?:interval|count|check)|(?:no|check\w*|look\w*) (?:for )?stalled|0 stalled/,
    },
    {
      kind: 'attempt-failed',
      says: /\b(?:failed|failure)\b ?(?:event|listener)|\b(?:event|on)[ :]+["']?failed\b|["']failed["'] event/,
    },
    {
      kind: 'attempt-failed',
      soft: true,
      says: /\bjobs?\b[^.:]{0,80}?\b(?:has |have )?failed\b(?! (?:to|step|stage|phase|at step)\b)/,
      unless: /\b(?:step|stage|phase|page|batch|chunk)\b.{0,40}\bfailed\b|processing failed/,
    },
    {
      kind: 'acknowledged',
      says: /\bcompleted\b ?(?:event|listener)|\b(?:event|on)[ :]+["']?completed\b|["']completed["'] event/,
    },
    {
      kind: 'acknowledged',
      soft: true,
      says: /\bjobs?\b[^.:]{0,80}?\b(?:has |have |is |was )?completed\b(?! (?:step|stage|phase|processing|\d))/,
      unless:
        /\b(?:step|stage|phase|page|batch|chunk|part|processing|execution|handler)\b.{0,60}\bcompleted\b|\bmark|manual|\d ?%|\bmove/,
    },
  ],
});

/** How the handler ended, by its own account. */
export const handlerEnds = definePhrases({
  name: 'handler-ends',
  mark: /fail|error|exception|thr[eo]w|crash|reject|abort|unable|could|can|complet|succe|finish|done|process|handl|execut|fulfil|return|took|took|wrapp|exit| ok\b|in \d|exhaust|gav|giv|attempts|retries|max|end\b|ended|leav|resolv|ack|tim\w+ out|exceed|[✓✔✅]/,
  phrases: [
    {
      kind: 'handler-threw',
      on: 'as-written',
      says: /\b(?:error|exception|failure|problem) (?:occurr?ed |raised |thrown |caught )?(?:while |when |whilst |during |in |on |from |at )?(?:the )?(?:processing|handling|executing|running|consuming|performing|in (?:the )?(?:handler|processor)|(?:in|on|for|during|with|of) (?:the )?(?:job|task|handler|processor))\b/,
      unless: /\bjob\b.{0,80}\b(?:has )?failed\b(?! to)/,
    },
    {
      kind: 'handler-threw',
      on: 'as-written',
      says: /\b(?:failed|fails|failure|unable|could not|couldn't|cannot|can't|was not able|not able) (?:to )?(?!start\b|begin\b|connect|reconnect|acquire|initiali[sz]e|init\b|register|close\b|shut|add\b|enqueue|schedule|retry\b|find\b|load\b|parse\b|fetch\b|be\b)(?:process|handle|execute|run|complete|finish|perform|consume|generate|send|deliver|render|import|export|sync|upload|create|build|charge|publish|convert|transcode|resize|index|update|write|save)\w*\b/,
    },
    {
      kind: 'handler-threw',
      on: 'as-written',
      says: /\bfailed (?:processing|handling|executing|running|performing|sending|generating|importing|exporting|rendering|building)\b/,
    },
    {
      kind: 'handler-threw',
      says: /\b(?:threw|throws|thrown|throwing|errored|crashed|blew up)\b|\brejected with\b|\b(?:handler|processor|processing|execution|run) (?:has |was )?(?:failed|failure|error(?:ed)?|aborted|crashed)\b|\bjob (?:\S{1,80} )?(?:error|exception)\b(?!s)|\baborted (?:due|because|with)\b|^\W*(?:error|exception) in \b/,
      unless: /\bno errors?\b|\b0 errors?\b|without errors?/,
    },
    {
      kind: 'handler-threw',
      soft: true,
      says: /\bjob\b.{0,80}\b(?:timed out|exceeded (?:its |the )?time|timeout exceeded)/,
    },
    {
      kind: 'attempt-failed',
      soft: true,
      says: /\bfailed\b|\bfailure\b|^\W*fail\b|\bjob\b\W{1,3}\S{1,80} fails?\b|\b(?:attempts|retries) (?:are |were )?exhausted\b|\bexhausted (?:all |its |the |max\w* ){0,2}(?:retry |retries|attempts|tries)|\b(?:out of|no more|no) (?:attempts|retries|retry attempts) (?:left|remaining)?\b|\bmax(?:imum)?(?: number of)? (?:attempts|retries) (?:reached|exceeded)\b|\bgav?e? up\b|\bgiving up\b/,
      unless:
        /\b(?:0|no|zero) (?:failed|failures?)\b|\bfailed[:=] ?0\b|\bpreviously failed\b|retry(?:ing)? (?:previously )?failed/,
    },
    {
      kind: 'handler-returned',
      says: /\b(?:processing|handling|execution|executing|handler|processor|work|run|generation|import|export|upload|delivery|sync|task)\b(?: of| for)?(?: \S{1,80}){0,4}? (?:is |has |was |has been |now )?(?:complete|completed|finished|done|ended|successful)\b|\bcompleted (?:the )?(?:processing|handling|executing|execution|handler|work|run|processor)\b/,
    },
    {
      kind: 'acknowledged',
      soft: true,
      says: /\bcompleted\b|\back(?:ed|nowledged)\b|\bcomplete(?=\W*$|\s+(?:in|after|with)\b)|\bsucceeded\b/,
      unless: /\b(?:0|no|zero) completed\b|\bcompleted[:=] ?\d+\W+(?:failed|active|waiting|delayed|total)\b/,
    },
    {
      kind: 'handler-returned',
      says: /\b(?:finished|finishes|done|processed|handled|executed|fulfilled|wrapped up|returned|returning|resolved|exiting)\b|\b(?:end(?:ed|s|ing)?|finish|leav(?:e|es|ing)|left|exit(?:s|ed)?) (?:of )?(?:the )?(?:job|task|handler|processor|processing|execution)\b|\b(?:job|task|handler|processor|processing|execution)\b(?:\W{1,4}\S{0,80}){0,2}? (?:end|ended|ends|finish|exit|exited|left)\W*$|^\W*(?:end|ended|finish|leaving|exit|exited)\W*$/,
      unless:
        /\b(?:api|service|server|upstream|query|request|call|endpoint|provider|database|db|lookup|fetch|response|http)\b.{0,30}\breturned\b|\breturned (?:status|http|\d)|\bundone\b/,
    },
    {
      kind: 'handler-returned',
      soft: true,
      says: /\bsuccess(?:ful(?:ly)?)?\b|\b\w{3,20} ok\b[.!]?$|^\W*ok\W*$|\bok(?: \(?\d{1,9} ?m?s\)?)?\W*$|\btook[ :=]+\d|\bin \d{1,9}(?:\.\d{1,4})? ?(?:ms|s|sec|seconds|milliseconds)\b|✓|✔|✅/,
      unless:
        /\b(?:query|request|call|fetch|upload|download|lookup|connect(?:ed|ion)?|retry|retrying|wait\w*|sleep\w*)\b/,
    },
  ],
});
