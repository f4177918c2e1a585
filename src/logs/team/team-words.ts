/** What records say by the configuration: it goes before everything the program knows of words by itself. */
import type { RE2JS } from 're2js';
import { type Config, JOB_KINDS, PROCESS_KINDS, type TeamEvent } from '../../model/config.js';
import { addCommon, addProgress, errorTextOf } from '../phrases/details.js';
import { type DataDraft, type Finding, orNone } from '../phrases/finding.js';
import { queueOf } from '../phrases/job-record.js';
import { lineShape } from '../phrases/line-shape.js';
import { addData } from '../phrases/process-record.js';
import { readText, type TextReading } from '../phrases/read-text.js';
import type { LogRecord, RecordError, RecordFields } from '../record.js';
import { compilePattern } from './read-config.js';
import { assignGroup, createTeamFields, type TeamFields, valueAt } from './team-fields.js';

export interface TeamWords {
  readonly fields: TeamFields;
  /** What the record is evidence of by the team's own word; empty: of nothing; undefined: the team says nothing of it. */
  findings(record: LogRecord): readonly Finding[] | undefined;
  /** What the program understood by itself, with "completed" read as the team means it. */
  settle(findings: readonly Finding[]): readonly Finding[];
}

/** Longer texts are looked at up to here. */
const MAX_TEXT = 4096;
const NOTHING: readonly Finding[] = [];
const GROUP_ROLES = ['job', 'queue', 'jobName', 'attempt', 'worker', 'token', 'progress', 'duration', 'error'] as const;

interface Rule {
  readonly kind: TeamEvent['kind'];
  readonly field: string | undefined;
  readonly pattern: RE2JS | undefined;
  readonly groups: readonly (typeof GROUP_ROLES)[number][];
  readonly values: ReadonlySet<unknown>;
}

/** @throws RE2JSException for a pattern that `readConfig` would have refused */
export function createTeamWords(config: Config): TeamWords {
  const rules = (config.events ?? []).map(toRule);
  const means = config.acknowledgement?.completedMeans;
  return {
    fields: createTeamFields(config),
    findings(record) {
      for (const rule of rules) {
        const told = tell(rule, record);
        if (told !== undefined) return told;
      }
      return undefined;
    },
    settle(findings) {
      if (means === undefined || !findings.some(isOpen)) return findings;
      return findings.map((finding) => (isOpen(finding) ? { ...finding, kind: means, data: firm(finding) } : finding));
    },
  };
}

function toRule({ kind, field, pattern, is }: TeamEvent): Rule {
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  const named = compiled?.namedGroups() ?? {};
  return {
    kind,
    field,
    pattern: compiled,
    groups: GROUP_ROLES.filter((name) => Object.hasOwn(named, name)),
    values: new Set(Array.isArray(is) ? is : [is]),
  };
}

const isOpen = ({ kind, data }: Finding): boolean => kind === 'acknowledged' && data?.soft === true;

function firm({ data }: Finding): Finding['data'] {
  const { soft: _, ...rest } = data ?? {};
  return orNone(rest);
}

function tell(rule: Rule, record: LogRecord): readonly Finding[] | undefined {
  const groups = match(rule, record);
  if (groups === undefined) return undefined;
  const { kind } = rule;
  if (kind === 'ignore') return NOTHING;
  const fields: RecordFields = { ...record.fields, ...groups };
  const text = readText(record.message);
  const error = record.error ?? fields.error;
  const isOfJob = JOB_KINDS.some((one) => one === kind);
  const jobs = isOfJob ? (fields.jobs ?? text.fields.jobs ?? text.mention?.ids ?? bareId(fields, text)) : [undefined];
  if (jobs === undefined) return undefined;
  const data = dataOf(kind, record, fields, text, error, jobs);
  const [queue, token] = [queueOf(fields, text), fields.token ?? text.fields.token];
  return jobs.map((job) => ({ kind, job, queue, prefix: fields.prefix, token, data }));
}

const bareId = (fields: RecordFields, text: TextReading): string[] | undefined => {
  const id = fields.bareId ?? text.fields.bareId;
  return id === undefined ? undefined : [id];
};

/** The details that the groups of the pattern told; undefined where the rule does not fit the record. */
function match({ field, pattern, groups, values }: Rule, record: LogRecord): RecordFields | undefined {
  const found = field === undefined ? record.message : record.object && valueAt(record.object, field);
  if (pattern === undefined) return values.has(found) ? {} : undefined;
  if (typeof found !== 'string' && typeof found !== 'number') return undefined;
  const text = String(found).slice(0, MAX_TEXT);
  if (!pattern.test(text)) return undefined;
  const told: RecordFields = {};
  if (groups.length === 0) return told;
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return undefined;
  for (const name of groups) {
    const value = matcher.group(name);
    if (typeof value === 'string' && value !== '') assignGroup(told, name, value);
  }
  return told;
}

function dataOf(
  kind: Exclude<TeamEvent['kind'], 'ignore'>,
  record: LogRecord,
  fields: RecordFields,
  text: TextReading,
  error: RecordError | undefined,
  jobs: readonly (string | undefined)[],
): Finding['data'] {
  const data: DataDraft = {};
  const told = { ...record, fields };
  if (PROCESS_KINDS.some((one) => one === kind)) {
    addData(data, kind, told, text, error);
    return orNone(data);
  }
  addCommon(data, fields, text);
  const said = errorTextOf(told, text, error, kind);
  if (said !== undefined) data.text = said;
  if (kind === 'handler-progress') addProgress(data, text.lower);
  if (kind === 'handler-line')
    data.shape = lineShape(
      record.message,
      jobs.filter((job) => job !== undefined),
    );
  return orNone(data);
}
