/**
 * What the fields of a log record are called. Applications spell one thing in many ways (`jobId`, `job_id`, `job.id`,
 * `bullmq.job.id`); each spelling, reduced to its letters and digits, has one role here.
 */

import { ownString } from '../own-string.js';

export type Role =
  | 'job'
  | 'jobs'
  | 'job-object'
  | 'bare-id'
  | 'queue'
  | 'qualified-queue'
  | 'job-name'
  | 'attempt'
  | 'worker'
  | 'label'
  | 'token'
  | 'key'
  | 'progress'
  | 'duration'
  | 'duration-seconds'
  | 'event'
  | 'state'
  | 'prev'
  | 'host'
  | 'port'
  | 'pid'
  | 'container'
  | 'lag'
  | 'signal'
  | 'exit-code'
  | 'setting'
  | 'error'
  | 'stack'
  | 'job-shape'
  | 'request'
  | 'payload'
  | 'skip';

const SPELLINGS: Readonly<Record<Role, string>> = {
  job: 'jobid bulljobid bullmqjobid queuejobid jobuuid jobidentifier jobnumber currentjobid',
  jobs: 'jobids jobs stalledjobs stalledjobids bullmqworkerjobstoextendlocks bullmqworkerstalledjobs',
  'job-object': 'job bulljob bullmqjob currentjob',
  'bare-id': 'id',
  queue: 'queue queuename jobqueue jobqueuename bullqueue bullmqqueuename bullmqqueue qname',
  'qualified-queue': 'queuequalifiedname jobqueuequalifiedname qualifiedname',
  'job-name': 'jobname jobtype jobkind bullmqjobname taskname',
  attempt:
    'attempt attemptsmade attemptno attemptnumber attemptnum jobattempt jobattempts jobattemptsmade bullmqjobattemptsmade tryno trynumber',
  worker:
    'worker workerid workername processedby consumer consumerid consumername workerinstance bullmqworkername bullmqworkerid wid',
  label: 'name label logger loggername context component module namespace',
  token: 'token locktoken jobtoken',
  key: 'idempotencykey idempotencyid idempotencytoken idempotentkey idemkey idempkey',
  progress:
    'progress percent pct percentage step checkpoint stage progresspct progresspercent jobprogress percentdone percentcomplete stepname currentstep',
  duration:
    'duration durationms elapsed elapsedms took tookms executiontime executiontimems processingtime processingtimems runtimems timems jobduration jobdurationms latencyms',
  'duration-seconds': 'durations durationsec durationseconds elapseds elapsedsec elapsedseconds tookseconds tooksec',
  event: 'event evt eventname workerevent jobevent queueevent ev',
  state: 'state status jobstate jobstatus phase outcome action type eventtype lifecycle op operation',
  prev: 'prev previous prevstate previousstate',
  host: 'hostname host hosthostname computer machine machinename servername',
  port: 'port',
  pid: 'pid processpid processid',
  container:
    'pod podname podid container containername containerid dyno instance instanceid replica kubernetespodname kubernetescontainername k8spodname hostid taskarn machineid',
  lag: 'eventlooplag eventlooplagms lagms lag eventloopdelay eventloopdelayms loopdelay loopdelayms blockedms blockedfor blockedforms eventloopblockedms',
  signal: 'signal sig',
  'exit-code': 'exitcode exitstatus',
  setting:
    'lockduration lockdurationms lockrenewtime lockrenewtimems lockrenewinterval stalledinterval stalledintervalms maxstalledcount concurrency maxstartedattempts',
  error:
    'err error reason failedreason errormessage errmsg errormsg errmessage exception exceptionmessage cause failure failurereason e errorreason lasterror',
  stack: 'stack stacktrace errorstack errorstacktrace errstack exceptionstacktrace trace',
  'job-shape': 'opts returnvalue processedon finishedon attemptsstarted stalledcounter jobopts',
  request: 'req request httprequest res response httpmethod url',
  payload: 'data jobdata payload body params input args arguments parameters',
  skip: 'level time timestamp msg message severity v ts result headers traceid spanid ecsversion',
};

const ROLES: ReadonlyMap<string, Role> = new Map(
  (Object.entries(SPELLINGS) as [Role, string][]).flatMap(([role, words]) =>
    words.split(' ').map((word): [string, Role] => [word, role]),
  ),
);

/** Canonical names of a worker's settings, by their reduced spelling. */
const SETTINGS: Readonly<Record<string, string>> = {
  lockduration: 'lockDuration',
  lockdurationms: 'lockDuration',
  lockrenewtime: 'lockRenewTime',
  lockrenewtimems: 'lockRenewTime',
  lockrenewinterval: 'lockRenewTime',
  stalledinterval: 'stalledInterval',
  stalledintervalms: 'stalledInterval',
  maxstalledcount: 'maxStalledCount',
  maxstartedattempts: 'maxStartedAttempts',
  concurrency: 'concurrency',
};

/** Keys come from hostile input: the memory of spellings is bounded. */
const MEMORY_LIMIT = 4096;
const memory = new Map<string, Role | null>();

/** Role of a field name as written, or null. Names longer than 64 characters have none. */
export function roleOf(key: string): Role | null {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const role = key.length > 64 ? null : (ROLES.get(reduce(key)) ?? null);
  if (memory.size < MEMORY_LIMIT) memory.set(ownString(key), role);
  return role;
}

/** Canonical name of a setting, for a key whose role is `setting`. */
export function settingName(key: string): string | undefined {
  return SETTINGS[reduce(key)];
}

function reduce(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}
