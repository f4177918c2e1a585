/** What `verify` found, for a terminal: first whether all holds, then each source, then each record that does not. */
import type { FailedRecord, SourceMatch, Verification, VerifiedSource } from '../../model/verification.js';
import { countText, plural } from '../durations.js';
import type { ReportOptions } from '../options.js';
import { refText } from '../ref-text.js';
import { type Paint, painter, wrap } from './terminal-text.js';
import { tame } from './visible.js';

const DEFAULT_COLUMNS = 100;
const MOST_FAILED = 200;
const MOST_CITING = 4;
const MOST_UNUSED = 12;

const MATCH_WORDS: Readonly<Record<SourceMatch, string>> = {
  hash: 'the same bytes',
  path: 'OTHER BYTES than those analysed, found by its path',
  name: 'OTHER BYTES than those analysed, found by its name',
  missing: 'NOT AMONG THE EVIDENCE GIVEN',
};

const WHY_WORDS: Readonly<Record<FailedRecord['why'], string>> = {
  changed: 'is not what was cited',
  gone: 'nothing that could be cited stands there',
  'source-missing': 'its source is not among the evidence given',
  'not-comparable': 'the source has changed, and the analysis keeps nothing to compare the record with',
};

export function renderVerification(
  { sources, failed, unused }: Verification,
  { color = false, columns = DEFAULT_COLUMNS }: ReportOptions = {},
): string {
  const paint = painter(color);
  // Of a source that is not there, its own line says enough.
  const told = failed.filter(({ why }) => why !== 'source-missing');
  const blocks = [
    verdict(sources, failed, paint, columns),
    [paint.bold('Sources'), ...sources.flatMap((source) => sourceLines(source, columns))],
    told.length === 0
      ? []
      : [
          paint.bold('Records that do not hold'),
          ...told.slice(0, MOST_FAILED).flatMap((one) => failedLines(one, paint, columns)),
          ...(told.length > MOST_FAILED ? [`  and ${told.length - MOST_FAILED} more`] : []),
        ],
    unused.length === 0
      ? []
      : wrap(
          tame(
            `Given, and no source of the analysis: ${unused.slice(0, MOST_UNUSED).join(', ')}${unused.length > MOST_UNUSED ? ` and ${unused.length - MOST_UNUSED} more` : ''}.`,
          ),
          columns,
          '',
        ),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function verdict(
  sources: readonly VerifiedSource[],
  failed: readonly FailedRecord[],
  paint: Paint,
  columns: number,
): string[] {
  const cited = sources.reduce((sum, source) => sum + source.cited, 0);
  const byHash = sources.reduce((sum, source) => sum + source.byHashOnly, 0);
  const same = sources.filter(({ match }) => match === 'hash').length;
  const holds = failed.length === 0 && same === sources.length;
  const notes = [
    `${countText(cited - failed.length)} of ${plural(cited, 'cited record')} stand where the analysis says, as they were.`,
    `${countText(same)} of ${plural(sources.length, 'source')} have the bytes that were analysed.`,
    byHash === 0
      ? ''
      : `${plural(byHash, 'record')} could not be held against a digest (there is none, or --redact-key is missing): their source has not changed.`,
  ];
  return [
    paint.bold(
      paint.tone(
        holds ? 'plain' : 'shown',
        !holds ? 'Does not hold' : byHash === 0 ? 'All holds' : 'Holds as far as it can be checked',
      ),
    ),
    ...wrap(notes.filter((note) => note !== '').join(' '), columns, ''),
  ];
}

function sourceLines({ path, match, foundAs, cited, held }: VerifiedSource, columns: number): string[] {
  const as = foundAs === undefined || foundAs === path ? '' : `, as ${foundAs}`;
  const records = cited === 0 ? 'nothing of it is cited' : `${held} of ${plural(cited, 'cited record')} hold`;
  return wrap(tame(`${path}: ${MATCH_WORDS[match]}${as}; ${records}`), columns, '  ', '    ');
}

function failedLines({ ref, citedBy, says, why, instead }: FailedRecord, paint: Paint, columns: number): string[] {
  const rest = citedBy.length - MOST_CITING;
  const by = citedBy.slice(0, MOST_CITING).join('; ') + (rest > 0 ? ` and ${rest} more` : '');
  const line = (label: string, text: string): string[] => wrap(`${label}: ${tame(text)}`, columns, '    ', '      ');
  return [
    ...wrap(`${paint.tone('shown', tame(refText(ref, ref.source)))} ${WHY_WORDS[why]}`, columns, '  ', '    '),
    ...line('cited by', by),
    ...(says === undefined ? [] : line('it said', says)),
    ...(instead === undefined ? [] : line('there now', instead)),
  ];
}
