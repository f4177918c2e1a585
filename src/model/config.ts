/**
 * `bullmortem.config.json`: what a team says of its own logs, where field names and words are its own. The package ships
 * this schema as JSON Schema (`schema/config-1.json`). What a team says is not second-guessed, so nothing in it may be
 * unclear: an unknown key is refused.
 */
import { z } from 'zod';
import type { EventKind } from './event.js';
import { RECORD_ROLES, type RecordRole } from './records-audit.js';

export const CONFIG_SCHEMA = 'bullmortem/config/1';
export const CONFIG_FILE = 'bullmortem.config.json';

/** What a record about one job may be said to be. A rule that finds no job in the record does not apply to it. */
export const JOB_KINDS = [
  'handler-started',
  'handler-progress',
  'handler-line',
  'handler-returned',
  'handler-threw',
  'moved-by-handler',
  'acknowledged',
  'attempt-failed',
  'renewal-failed',
  'lock-missing',
  'lock-mismatch',
  'stalled-notice',
] as const satisfies readonly EventKind[];

/** What a record about the process that wrote it may be said to be. */
export const PROCESS_KINDS = [
  'worker-ready',
  'worker-signal',
  'worker-closing',
  'worker-closed',
  'process-crashed',
  'process-ended',
  'redis-lost',
  'redis-back',
  'event-loop-lag',
] as const satisfies readonly EventKind[];

/** Names that the groups of a pattern may have. */
export const GROUPS = [
  'job',
  'queue',
  'jobName',
  'attempt',
  'worker',
  'token',
  'progress',
  'duration',
  'error',
] as const;
export type Group = (typeof GROUPS)[number];

/** Details that a path may lead to. */
export const TEAM_FIELDS = [...GROUPS, 'host', 'pid', 'container', 'event', 'time', 'level', 'message'] as const;
export type TeamField = (typeof TEAM_FIELDS)[number];

const path = z.string().min(1).max(200).describe('a key, or keys joined by dots: "ctx.unit.id"');
const paths = z.union([path, z.array(path).min(1).max(20)]);
const value = z.union([z.string(), z.number(), z.boolean()]);

export const teamEventSchema = z.strictObject({
  kind: z
    .enum([...JOB_KINDS, ...PROCESS_KINDS, 'ignore'])
    .describe('what a matching record is evidence of; ignore: it says nothing about a run'),
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'RE2 syntax, found anywhere in the message (or in `field`); named groups tell details: (?<job>\\d+), queue, attempt …',
    ),
  field: path.optional().describe('the field of a JSON or logfmt record to look at instead of the message'),
  is: z
    .union([value, z.array(value).min(1).max(50)])
    .optional()
    .describe('the whole value of `field`, or several'),
  about: z.string().max(500).optional().describe('a note for people'),
});

const columnName = z.string().min(1).max(500);

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  fields: z
    .strictObject(
      Object.fromEntries(TEAM_FIELDS.map((name) => [name, paths.optional()])) as Record<
        TeamField,
        z.ZodOptional<typeof paths>
      >,
    )
    .optional()
    .describe('where JSON and logfmt records keep what, before the usual names are tried'),
  events: z.array(teamEventSchema).max(500).optional().describe('what records say; the first that matches decides'),
  acknowledgement: z
    .strictObject({
      completedMeans: z
        .enum(['acknowledged', 'handler-returned'])
        .describe(
          'who writes "job 42 completed": the listener of the worker\'s completed event, which follows Redis (acknowledged), or the handler as its last line (handler-returned)',
        ),
    })
    .optional()
    .describe('what lines that call a job completed stand for, where nothing in the line itself tells'),
  records: z
    .strictObject({
      columns: z
        .strictObject(
          Object.fromEntries(RECORD_ROLES.map((role) => [role, columnName.optional()])) as Record<
            RecordRole,
            z.ZodOptional<typeof columnName>
          >,
        )
        .describe('which column of idempotency records tells what, before it is looked for; --columns goes first'),
    })
    .optional(),
});

export type Config = z.infer<typeof configSchema>;
export type TeamEvent = z.infer<typeof teamEventSchema>;
