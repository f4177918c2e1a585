/** Every rule, in the order that decides between two verdicts on one run: the more specific first. */
import type { Rule } from './define-rule.js';
import handlerNeverSettled from './handler-never-settled.js';
import jobKeyRemoved from './job-key-removed.js';
import lockKeyRemoved from './lock-key-removed.js';
import lockRenewal from './lock-renewal.js';
import manualRequeue from './manual-requeue.js';
import noSweepRan from './no-sweep-ran.js';
import returnToAck from './return-to-ack.js';
import stepTransition from './step-transition.js';
import undetermined from './undetermined.js';
import workerExit from './worker-exit.js';

export const RULES: readonly Rule[] = [
  stepTransition,
  manualRequeue,
  lockKeyRemoved,
  jobKeyRemoved,
  returnToAck,
  workerExit,
  lockRenewal,
  handlerNeverSettled,
  noSweepRan,
  undetermined,
];
