/**
 * How people name the columns of their idempotency records. Names are compared without case and without what stands between
 * words; of several candidates the earlier in the list wins. Collected from public schemas: API idempotency keys, job
 * executions, inboxes and outboxes, processed messages.
 */
import type { RecordRole } from '../model/records-audit.js';

/** `strong` says by itself that these are idempotency records; `weak` is only taken where nothing better stands. */
interface RoleNames {
  readonly strong?: readonly string[];
  readonly plain: readonly string[];
  readonly weak?: readonly string[];
}

export const ROLE_NAMES: Readonly<Record<RecordRole, RoleNames>> = {
  key: {
    strong: [
      ...['idempotencykey', 'idempotencyid', 'idempotencytoken', 'idempotentkey', 'idempotentid', 'idemkey'],
      ...['dedupekey', 'dedupkey', 'dedupeid', 'dedupid', 'deduplicationkey', 'deduplicationid', 'oncekey'],
    ],
    plain: [
      ...['requestkey', 'operationkey', 'operationid', 'uniquekey', 'messageid', 'eventid', 'submissionid'],
      ...['requestid', 'effectkey', 'businesskey', 'idempotency', 'key'],
    ],
    weak: ['id', 'pk', 'hash'],
  },
  scope: { plain: ['scope', 'consumername', 'consumer', 'consumergroup', 'namespace', 'provider', 'eventtype'] },
  job: { plain: ['jobid', 'bullmqjobid', 'bulljobid', 'queuejobid', 'taskid', 'job'] },
  queue: { plain: ['queue', 'queuename', 'jobqueue'], weak: ['topic'] },
  attempt: {
    plain: ['attempt', 'attemptnumber', 'attemptno', 'attemptsmade', 'trynumber', 'runnumber', 'attempts'],
    weak: ['retrycount', 'retries', 'tries', 'runcount', 'executions', 'attemptcount'],
  },
  status: {
    plain: ['status', 'state', 'outcome', 'recordstatus', 'jobstatus', 'runstatus', 'processingstatus'],
    weak: ['result', 'responsecode', 'responsestatus', 'statuscode', 'completed', 'processed', 'done'],
  },
  worker: {
    plain: ['worker', 'workerid', 'workername', 'processedby', 'lockedby', 'claimedby', 'nodeid', 'instanceid'],
    weak: ['node', 'instance', 'hostname', 'host', 'pod', 'podname', 'processid', 'owner', 'consumerid'],
  },
  started: {
    plain: [
      ...['startedat', 'started', 'starttime', 'startat', 'startedon', 'begunat', 'lockedat', 'claimedat'],
      ...['processingat', 'processingstartedat', 'lastrunat', 'acquiredat'],
    ],
    weak: ['receivedat', 'createdat', 'created', 'insertedat', 'firstseenat', 'enqueuedat'],
  },
  completed: {
    plain: [
      ...['completedat', 'finishedat', 'endedat', 'completedon', 'finishedon', 'endtime', 'endat', 'succeededat'],
      ...['processedat', 'processedon', 'doneat', 'sentat', 'publishedat', 'completed', 'finished', 'ended'],
    ],
  },
  expires: { plain: ['expiresat', 'expires', 'expireat', 'expiry', 'expiration', 'expiresattimestamp', 'validuntil'] },
  checkpoint: {
    plain: ['checkpoint', 'lastcheckpoint', 'progress', 'committedbatches', 'lastbatch', 'laststep', 'currentstep'],
    weak: ['recoverypoint', 'step', 'position', 'cursor'],
  },
  resumed: { plain: ['resumedfrom', 'resumefrom', 'resumedat', 'startedfrom', 'fromcheckpoint', 'startcheckpoint'] },
  fingerprint: {
    plain: [
      ...['fingerprint', 'requestfingerprint', 'requesthash', 'payloadhash', 'bodyhash', 'inputhash', 'paramshash'],
      ...['requestdigest', 'payloaddigest', 'contenthash', 'argshash', 'validation'],
    ],
  },
};

/** `startedAt`, `started_at` and `Started At` are one name. */
export const plainName = (column: string): string => column.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A name that only idempotency records have. */
export const isKeyName = (column: string): boolean => ROLE_NAMES.key.strong?.includes(plainName(column)) === true;
