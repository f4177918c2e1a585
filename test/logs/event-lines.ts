import type { EvidenceEvent } from '../../src/model/event.js';
import { lineAt } from '../../src/model/place.js';
import type { ReadLog } from './read-log.js';

/**
 * What was read from a sample, short enough to be written by hand:
 *
 *   names of the formats, in the order of the alphabet
 *   newest first                                        where the source runs so
 *   <line> <kind> <job> <time> <process>                one an event, in the order of their times
 *
 * Times are of 2024-01-15 (UTC), with as many digits as are known; `~` stands before the time of an earlier record. A process
 * is `host#pid @container`; `shipper`: the time is that of a collector.
 */
export function eventLines({ events, report }: ReadLog): string {
  const inOrder = events.toSorted((a, b) => (a.t ?? 0) - (b.t ?? 0) || a.line - b.line || a.offset - b.offset);
  const lines = inOrder.map(({ line, kind, job, process, ...event }) =>
    [
      lineAt(line),
      kind,
      job ?? '-',
      timeOf(event),
      event.clock === 'shipper' ? 'shipper' : '',
      process?.host !== undefined || process?.pid !== undefined
        ? `${process.host ?? ''}${process.pid === undefined ? '' : `#${process.pid}`}`
        : '',
      process?.container === undefined ? '' : `@${process.container}`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
  const formats = report.format.split('+').sort().join(' ');
  const isNewestFirst = events.some(({ line }) => line > 2 ** 29);
  return [formats, ...(isNewestFirst ? ['newest first'] : []), ...lines, ''].join('\n');
}

function timeOf({ t, precision }: Pick<EvidenceEvent, 't' | 'precision'>): string {
  if (t === undefined) return '-';
  const text = new Date(t)
    .toISOString()
    .replace(/^2024-01-15T/, '')
    .slice(0, -1);
  const micros = String(Math.round((t - Math.floor(t)) * 1000)).padStart(3, '0');
  if (precision === 's') return text.slice(0, -4);
  if (precision === 'ms') return text;
  if (precision === 'us') return `${text}${micros}`;
  return micros === '000' ? `~${text}` : `~${text}${micros}`;
}
