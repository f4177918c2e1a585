/** Kinds of evidence by what they can show: a claim that needs one of them cannot be made, or denied, without it. */
export const EVIDENCE_CLASSES = [
  'worker-log',
  'events-stream',
  'lock-history',
  'snapshot',
  'rejected-commands',
  'records',
] as const;

export type EvidenceClass = (typeof EVIDENCE_CLASSES)[number];

/** For sentences: "needs worker logs". */
export const CLASS_WORDS: Readonly<Record<EvidenceClass, string>> = {
  'worker-log': 'worker logs',
  'events-stream': 'the events stream of the queue',
  'lock-history': 'the history of locks (AOF or MONITOR)',
  snapshot: 'a snapshot of Redis',
  'rejected-commands': 'refused commands (MONITOR)',
  records: 'idempotency records',
};
