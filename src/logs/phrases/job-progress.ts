import { definePhrases } from './define-phrases.js';

/** The handler is on its way: a share done, a step reached, a sign of life. */
export const jobProgress = definePhrases({
  name: 'progress',
  mark: /\d|progress|step|stage|phase|checkpoint|still|heartbeat/,
  phrases: [
    {
      kind: 'handler-returned',
      says: /\ball (?:the |\d+ )?(?:steps?|stages?|phases?|parts?|chunks?|items?|batches|pages?|rows?|records?|work|tasks?)\b.{0,30}\b(?:done|completed?|finished|processed|handled|sent|imported|exported)\b/,
    },
    {
      kind: 'handler-progress',
      says: /\d\s?(?:%|percent\b|pct\b)|\bprogress\b(?!ive)|\bcheckpoint\b|\bheartbeat\b|\bstill (?:processing|running|working|alive|busy|going|in progress)\b/,
    },
    {
      kind: 'handler-progress',
      says: /\b(?:step|stage|phase|chunk|batch|page|part|row|iteration)s?\b[ :#=_-]{0,3}(?:no\.? )?#?\d|(?<![\w/.:-])\d{1,12} ?(?:\/|of|out of) ?\d{1,12}(?![\w/-])|\b(?:processed|handled|imported|exported|sent|written|uploaded|read|inserted|loaded) \d{1,12} (?!ms\b|s\b|sec)[a-z]/,
    },
    {
      kind: 'handler-progress',
      says: /\b(?:step|stage|phase)\b.{0,60}\b(?:done|completed?|finished|started|starting|reached|passed|begin|begun)\b|\b(?:done|completed?|finished|start(?:ed|ing)|entering|entered|reached|running|executing)(?: with| the)? (?:step|stage|phase)\b/,
    },
  ],
});
