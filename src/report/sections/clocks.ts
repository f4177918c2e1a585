/** How far each worker's clock can be from Redis' clock, and on which records that rests. */
import type { Clock } from '../../model/analysis.js';
import type { ReportContext } from '../context.js';
import { countText, durationText, intervalText } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, code, columns, type Part, type TableView, table, text } from '../parts.js';

export function clocks(context: ReportContext): TableView {
  const heads = columns(
    'Worker',
    'Clock ahead of Redis by',
    '#Uncertainty',
    '#Pairs',
    'Basis',
    'Tightest pair',
    'Steps',
  );
  const rows = context.analysis.clocks.map((clock) => row(clock, context));
  return table('Worker clock minus Redis clock', heads, rows, CAPS.tableRows, 'analysis.json');
}

function row(clock: Clock, context: ReportContext): Cell[] {
  const [low, high] = clock.offsetMs;
  return [
    [code(context.worker(clock.worker))],
    cell(intervalText(clock.offsetMs)),
    cell(`± ${durationText((high - low) / 2)}`),
    cell(countText(clock.pairs)),
    cell(clock.basis === 'pairs' ? 'pairs of records' : 'assumed'),
    tightest(clock, context),
    steps(clock, context),
  ];
}

function tightest({ tightest: pair }: Clock, context: ReportContext): Cell {
  const bound = (word: string, ref: NonNullable<Clock['tightest']>['low']): Part[] =>
    ref === undefined ? [] : [text(`${word} `), code(context.ref(ref))];
  const low = bound('at least by', pair?.low);
  const high = bound('at most by', pair?.high);
  return low.length > 0 && high.length > 0 ? [...low, text(', '), ...high] : [...low, ...high];
}

/** Where the clock was set, each with the records around it; what no offset fits by less than a step. */
function steps({ steps: set = [], contradiction }: Clock, context: ReportContext): Cell {
  const told = set
    .slice(0, CAPS.refsPerCell)
    .map(({ fromMs, toMs, after, before }): Part[] => [
      text(`from ${intervalText(fromMs)} to ${intervalText(toMs)} between `),
      code(context.ref(after)),
      text(' and '),
      code(context.ref(before)),
    ]);
  const rest = set.length - told.length;
  if (rest > 0) told.push([text(`${rest} more`)]);
  if (contradiction)
    told.push([
      text(`contradicting by ${durationText(contradiction.byMs)}: `),
      code(context.ref(contradiction.low)),
      text(' and '),
      code(context.ref(contradiction.high)),
    ]);
  return told.flatMap((parts, n) => (n === 0 ? parts : [text('; '), ...parts]));
}
