/**
 * Things said not to have happened, or not yet. "Job 12 has not completed", "will retry", "failed to start" and "waiting for
 * job 12 to finish" contain the words of an end and of a start and mean neither. The words they govern are taken out
 * before anything is read from the text.
 */

const GOVERNING =
  "not|isn't|wasn't|hasn't|haven't|hadn't|didn't|doesn't|don't|couldn't|wouldn't|won't|can't|cannot|never|no longer|nothing|without|" +
  'will|would|should|could|may|might|must|shall|going to|about to|yet to|to be|want to|wants to|try to|trying to|tried to|attempting to|' +
  'unable to|failed to|fails to|failure to|before|until|unless|if|when|once|whether|waiting for|wait for|waits for|awaiting|expecting|expected|' +
  'already|next|scheduled to|ready to|due to|able to|needs to|need to|has to|have to|supposed to|so that|in case|eligible to|asked to|allowed to';

const VERBS =
  'start|started|starting|starts|run|running|runs|ran|begin|began|beginning|begins|begun|process|processed|processing|processes|handle|handled|handling|' +
  'consume|consumed|consuming|execute|executed|executing|receive|received|receiving|pick|picked|picking|complete|completed|completes|completing|completion|' +
  'finish|finished|finishes|finishing|done|succeed|succeeded|succeeds|success|successful|successfully|end|ended|ends|return|returned|returns|fail|failed|fails|failing|' +
  'retry|retried|retrying|retries|move|moved|moving|delay|delayed|stall|stalled|stalls|close|closed|closing|stop|stopped|stopping|exit|exited|exits|' +
  'reconnect|reconnected|connect|connected|ready|acknowledge|acknowledged|deferred|rescheduled|renew|renewed|lost|throw|thrown|crash|crashed|shut down|shutdown|drain|drained';

/** At most three short words may stand between: "will not be retried", "until all steps are done". */
const NEGATED = new RegExp(
  `(?<![\\w'-])(?:${GOVERNING})(?:[ -](?:[#\\w'"-]{1,40}|\\([^)]{0,20}\\))){0,4}?[ -](?:be |been |have |has |has been |have been |get |yet )?(?:${VERBS})(?![\\w-])(?: yet)?`,
  'g',
);
const CHEAP = new RegExp(`(?<![\\w'-])(?:${GOVERNING})(?![\\w'-])`);

/** `lower` without the verbs that a negation, a condition or a future governs. */
export function withoutNegated(lower: string): string {
  return CHEAP.test(lower) ? lower.replace(NEGATED, ' ') : lower;
}
