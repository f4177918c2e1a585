/** What `inspect` found, for a terminal and as JSON. */
import { type InspectedInput, type Inspection, inspectionSchema } from '../../model/inspection.js';
import { clockFace } from '../display-time.js';
import { countText } from '../durations.js';
import type { ReportOptions } from '../options.js';
import { jsonText } from './json.js';
import { type Paint, painter, wrap } from './terminal-text.js';
import { tame } from './visible.js';

const DEFAULT_COLUMNS = 100;
const LABEL = 12;
const MOST_KINDS = 12;
const MOST_WORKERS = 12;
const MOST_WORDS = 12;

/** @throws when the inspection does not fit its own schema */
export const renderInspectionJson = (inspection: Inspection): string => jsonText(inspectionSchema.parse(inspection));

/** @throws RangeError when the display zone is not known */
export function renderInspection(inspection: Inspection, options: ReportOptions = {}): string {
  const paint = painter(options.color ?? false);
  const width = options.columns ?? DEFAULT_COLUMNS;
  const face = clockFace(options.tz);
  const blocks = [
    ...inspection.inputs.map((input) => inputBlock(input, face, paint, width)),
    wordsBlock(inspection, paint, width),
    configBlock(inspection, paint, width),
  ].filter((block) => block.length > 0);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function inputBlock(input: InspectedInput, face: ReturnType<typeof clockFace>, paint: Paint, width: number): string[] {
  const row = (label: string, text: string): string[] =>
    wrap(`${label.padEnd(LABEL)}${tame(text)}`, width, '  ', ' '.repeat(LABEL + 2));
  const { from, to, assumed, kinds, workers } = input;
  const taken = input.kind === input.format || input.format === '' ? input.kind : `${input.kind}: ${input.format}`;
  return [
    paint.bold(tame(input.path)),
    ...row('taken for', taken),
    ...row('because', input.reason),
    ...(from === undefined || to === undefined
      ? []
      : row('window', `${face.iso(from)} to ${face.iso(to)}, shown in ${face.zone}`)),
    ...(input.kind === 'log' && from !== undefined ? row('zone', zoneText(assumed)) : []),
    ...row(
      input.kind === 'archive' ? 'files' : 'records',
      `${countText(input.records)}, ${countText(input.understood)} ${input.kind === 'archive' ? 'read' : 'of a known form'}`,
    ),
    ...(kinds.length === 0
      ? []
      : row(
          'events',
          `${countText(input.events)}: ${list(
            kinds.map(({ kind, count }) => `${kind} ${countText(count)}`),
            MOST_KINDS,
          )}`,
        )),
    ...(workers.length === 0 ? [] : row('workers', list(workers, MOST_WORKERS))),
    ...input.damage
      .filter(({ what }) => what !== input.reason)
      .flatMap(({ what, line }) => row('damage', line === undefined ? what : `line ${line}: ${what}`)),
    ...input.limits.flatMap(({ what, detail, count }) =>
      row('limit', `${what}: ${detail}${count === undefined ? '' : ` (${countText(count)})`}`),
    ),
  ];
}

const zoneText = (assumed: InspectedInput['assumed']): string =>
  assumed.length === 0
    ? 'as its times say, or as given'
    : assumed.map(({ name, value }) => `${name} ${value} assumed, its times name none`).join('; ');

const list = (texts: readonly string[], most: number): string =>
  texts.length <= most ? texts.join(', ') : `${texts.slice(0, most).join(', ')} and ${texts.length - most} more`;

function wordsBlock({ words }: Inspection, paint: Paint, width: number): string[] {
  if (words.length === 0) return [];
  return [
    paint.bold('Words learned from the jobs that went well'),
    ...words
      .slice(0, MOST_WORDS)
      .flatMap(({ name, value, scope }) =>
        wrap(tame(`${name.replace(/^words for /, '')}: "${value}", ${scope}`), width, '  ', '    '),
      ),
  ];
}

/** Printed as it is to be pasted: JSON, in which nothing acts on a terminal. */
function configBlock({ config }: Inspection, paint: Paint, width: number): string[] {
  if (config === undefined) return [];
  return [
    paint.bold('Could matter, and was not understood'),
    ...wrap(
      'Most frequent first, as bullmortem.config.json. As they are, these rules change nothing: where one tells of a run, put its kind (handler-started, handler-progress, handler-returned, acknowledged …) and see that (?<job>…) stands at the id; delete the others.',
      width,
      '',
    ),
    jsonText(config).trimEnd(),
  ];
}
