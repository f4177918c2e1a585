/** The options of `analyze`, checked. */
import { z } from 'zod';
import { type ForcedFormat, formatNames, parseForcedFormat, READERS } from '../intake/index.js';
import type { AnalyzeOptions } from '../pipeline/analyze.js';
import type { Selection } from '../pipeline/selection.js';
import type { SettingName } from '../pipeline/settings.js';
import { compileHtml, compileMarkdown, readTeamTemplates, type TeamTemplates, TemplateError } from '../report/index.js';
import { createZone, parseDuration } from '../time/index.js';
import { columnsText, parseColumns, withConfig } from './columns-option.js';
import { type GivenConfig, loadConfig } from './config-option.js';
import { UsageError } from './exit-codes.js';
import { redactionKey } from './redaction-key.js';
import { checkSelection } from './selection-options.js';

const rawSchema = z.object({
  output: z.array(z.string()),
  case: z.string().optional(),
  records: z.array(z.string()).default([]),
  columns: z.array(z.string()).default([]),
  config: z.union([z.string(), z.boolean()]).optional(),
  set: z.array(z.string()),
  prefix: z.string().optional(),
  assumeTz: z.string().optional(),
  tz: z.string(),
  clockSkew: z.string(),
  format: z.array(z.string()),
  job: z.string().optional(),
  at: z.string().optional(),
  queue: z.string().optional(),
  worker: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  around: z.string().optional(),
  within: z.string().optional(),
  redact: z.boolean().default(false),
  redactKey: z.string().optional(),
  includeData: z.boolean().default(false),
  template: z.string().optional(),
  failOn: z.enum(['shown', 'likely', 'possible', 'never']),
  quiet: z.boolean().default(false),
  progress: z.boolean().default(true),
  debug: z.boolean().default(false),
});

export type FailOn = z.infer<typeof rawSchema>['failOn'];

export interface AnalyzeCommand {
  readonly outputs: readonly string[];
  readonly casePath?: string;
  /** Idempotency records to hold against the evidence. */
  readonly records?: NonNullable<AnalyzeOptions['records']>;
  readonly given: Readonly<Partial<Record<SettingName, number>>>;
  readonly prefix?: string;
  readonly assumeTz?: string;
  readonly tz: string;
  readonly skewMs?: number;
  readonly formats: readonly ForcedFormat[];
  /** What the team says of its own logs. */
  readonly config?: GivenConfig;
  readonly selection: Selection;
  /** Options whose time named no zone. */
  readonly zoneless: readonly string[];
  /** Names in the reports become pseudonyms, made with this key. */
  readonly redactKey?: string;
  /** Cited records are quoted, with the data of jobs in them. */
  readonly includeData: boolean;
  /** A team's own sections. */
  readonly templates?: TeamTemplates;
  readonly failOn: FailOn;
  readonly quiet: boolean;
  readonly progress: boolean;
  readonly debug: boolean;
  /** For `run.options` of the analysis: canonical order, no paths. */
  readonly optionsText: readonly string[];
}

/** @throws UsageError with one line that says which option is wrong and what it takes. */
export function checkOptions(options: object, moreFormats: readonly string[] = []): AnalyzeCommand {
  const raw = rawSchema.parse(options);
  const given: Partial<Record<SettingName, number>> = {};
  for (const text of raw.set) Object.assign(given, parseSetting(text));
  const skewMs = duration('--clock-skew', raw.clockSkew);
  for (const [flag, zone] of [
    ['--tz', raw.tz],
    ['--assume-tz', raw.assumeTz],
  ] as const)
    if (zone !== undefined) checkZone(flag, zone);
  const formats = raw.format.map((text) => {
    const parsed = parseForcedFormat(text);
    if (parsed === undefined || (parsed.glob === undefined && text.includes('=')))
      throw new UsageError(
        `--format ${JSON.stringify(text)} names no format; write --format NAME or --format GLOB=NAME`,
      );
    const known = [...formatNames(READERS), ...moreFormats];
    if (!known.includes(parsed.name))
      throw new UsageError(
        `--format ${JSON.stringify(text)}: no format is named ${JSON.stringify(parsed.name)}; the names are ${known.join(', ')}`,
      );
    return parsed;
  });
  if (raw.case === '' || raw.case === ':memory:')
    throw new UsageError('--case names a file; without it the case is kept nowhere');
  if (raw.prefix === '') throw new UsageError('--prefix names the key prefix of the queues, such as bull');
  const { selection, zoneless, optionsText: selectionText } = checkSelection(raw, raw.assumeTz);
  if (raw.includeData && (raw.redact || raw.redactKey !== undefined))
    throw new UsageError('--include-data quotes records with all that is in them, which --redact is to keep out');
  const skewGiven = raw.clockSkew !== '1s';
  const columns = parseColumns(raw.columns);
  const config = loadConfig(raw.config === true ? undefined : raw.config);
  return {
    outputs: raw.output,
    ...(raw.case === undefined ? {} : { casePath: raw.case }),
    ...(raw.records.length === 0
      ? {}
      : { records: { inputs: raw.records, given: withConfig(columns, config?.config) } }),
    given,
    ...(raw.prefix === undefined ? {} : { prefix: raw.prefix }),
    ...(raw.assumeTz === undefined ? {} : { assumeTz: raw.assumeTz }),
    tz: raw.tz,
    ...(skewGiven ? { skewMs } : {}),
    formats,
    ...(config === undefined ? {} : { config }),
    selection,
    zoneless,
    ...(raw.redact || raw.redactKey !== undefined ? { redactKey: redactionKey(raw.redactKey) } : {}),
    includeData: raw.includeData,
    ...(raw.template === undefined ? {} : { templates: teamTemplates(raw.template) }),
    failOn: raw.failOn,
    quiet: raw.quiet,
    progress: raw.progress,
    debug: raw.debug,
    optionsText: [
      ...(raw.assumeTz === undefined ? [] : [`--assume-tz ${raw.assumeTz}`]),
      ...(skewGiven ? [`--clock-skew ${raw.clockSkew}`] : []),
      ...(config === undefined ? [] : [config.optionText]),
      ...raw.format.map((text) => `--format ${text}`).sort(),
      ...(raw.prefix === undefined ? [] : [`--prefix ${raw.prefix}`]),
      ...Object.entries(given)
        .map(([name, value]) => `--set ${name}=${name === 'maxStalledCount' ? value : `${value}ms`}`)
        .sort(),
      ...(raw.includeData ? ['--include-data'] : []),
      ...selectionText,
      ...(raw.records.length === 0 ? [] : columnsText(columns)),
    ].sort(),
  };
}

function teamTemplates(folder: string): TeamTemplates {
  try {
    const templates = readTeamTemplates(folder);
    // What is wrong with them is said before hours of reading, not after.
    compileMarkdown(templates);
    compileHtml(templates);
    return templates;
  } catch (error) {
    if (error instanceof TemplateError) throw new UsageError(`--template: ${error.message}`);
    throw error;
  }
}

const SETTING_NAMES: readonly SettingName[] = ['lockDuration', 'stalledInterval', 'maxStalledCount'];

function parseSetting(text: string): Partial<Record<SettingName, number>> {
  const sign = text.indexOf('=');
  const name = SETTING_NAMES.find((known) => known === text.slice(0, sign));
  if (sign < 0 || name === undefined)
    throw new UsageError(
      `--set ${JSON.stringify(text)} is not understood; write one of ${SETTING_NAMES.map((known) => `${known}=VALUE`).join(', ')}`,
    );
  const value = text.slice(sign + 1);
  if (name === 'maxStalledCount') {
    if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--set maxStalledCount=${value}: write a whole number`);
    return { [name]: Number(value) };
  }
  const ms = duration(`--set ${name}`, value);
  if (ms <= 0) throw new UsageError(`--set ${name}=${value}: must be longer than nothing`);
  return { [name]: ms };
}

function duration(flag: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new UsageError(`${flag}: ${error instanceof Error ? error.message : 'not a duration'}`);
  }
}

function checkZone(flag: string, zone: string): void {
  try {
    createZone(zone);
  } catch {
    throw new UsageError(
      `${flag} ${JSON.stringify(zone)} is no time zone; write an IANA name such as Europe/Berlin, or an offset such as +02:00`,
    );
  }
}
