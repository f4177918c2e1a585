/** Every rule, in the order that decides between two verdicts on one run: the more specific first. */

import acknowledgedLate from './acknowledged-late.js';
import type { Rule } from './define-rule.js';
import droppedAtClose from './dropped-at-close.js';
import duplicateEnqueue from './duplicate-enqueue.js';
import eventFanOut from './event-fan-out.js';
import handlerNeverSettled from './handler-never-settled.js';
import idReused from './id-reused.js';
import jobKeyRemoved from './job-key-removed.js';
import lockKeyRemoved from './lock-key-removed.js';
import lockReleasedWithoutRecord from './lock-released-without-record.js';
import lockRenewal from './lock-renewal.js';
import manualRequeue from './manual-requeue.js';
import neverStarted from './never-started.js';
import noSweepRan from './no-sweep-ran.js';
import redisRollback from './redis-rollback.js';
import returnToAck from './return-to-ack.js';
import sandboxChildLost from './sandbox-child-lost.js';
import schedulerDuplicate from './scheduler-duplicate.js';
import stallLimit from './stall-limit.js';
import stepTransition from './step-transition.js';
import undetermined from './undetermined.js';
import workAfterAck from './work-after-ack.js';
import workerExit from './worker-exit.js';
import writesRefused from './writes-refused.js';

export const RULES: readonly Rule[] = [
  stepTransition,
  manualRequeue,
  lockKeyRemoved,
  jobKeyRemoved,
  droppedAtClose,
  lockReleasedWithoutRecord,
  redisRollback,
  writesRefused,
  returnToAck,
  workerExit,
  lockRenewal,
  handlerNeverSettled,
  sandboxChildLost,
  noSweepRan,
  stallLimit,
  neverStarted,
  acknowledgedLate,
  workAfterAck,
  eventFanOut,
  idReused,
  duplicateEnqueue,
  schedulerDuplicate,
  undetermined,
];
