/** Lets a reader read one opened source, and survives what the reader does. */
import type { Damage, EvidenceSink, Reader, ReadOptions, ReadReport } from '../model/evidence.js';
import { type Detected, oneLine } from './detect.js';
import type { OpenedSource } from './open-source.js';
import { unreadReport } from './unread-report.js';

/**
 * Reads a source into the sink. An exception becomes damage, and what was read before it is kept: whose fault it was, the
 * reader's or the store's, is told apart, because the user can do something about one of them only.
 */
export async function readSource(
  source: OpenedSource,
  detected: Detected,
  sink: EvidenceSink,
  options: ReadOptions,
  elsewhere?: Elsewhere,
): Promise<{ report: ReadReport; damage: readonly Damage[] }> {
  if (source.refused !== undefined)
    return { report: unreadReport('unknown', 'unknown', source.refused), damage: [{ what: source.refused }] };
  if (detected.kind !== 'known') {
    const { kind, reason, damage } = detected;
    const report = unreadReport(kind, kind, reason);
    return { report, damage: kind === 'unknown' ? [...damage, { what: reason }] : damage };
  }
  const { reader, detection } = detected;
  const store = watched(sink);
  try {
    const read = elsewhere?.(reader.name) ?? reader.read;
    const report = await read(source.blocks, store.sink, options);
    return { report, damage: [...detected.damage, ...report.damage] };
  } catch (error) {
    const stored = store.failed();
    const what =
      stored === undefined
        ? `reader failed: ${oneLine(error)}; this is a bug, please report (what was read before it is kept)`
        : `what was found could not be stored: ${oneLine(stored.error)} (what was stored before it is kept)`;
    return {
      report: unreadReport('unknown', detection.format, detection.reason),
      damage: [...detected.damage, { what }],
    };
  }
}

/** The reader of this name, working in another thread; undefined where it cannot. */
export type Elsewhere = (reader: string) => Reader | undefined;

/** The same sink; remembers an exception of its own. */
function watched(sink: EvidenceSink): { sink: EvidenceSink; failed: () => { error: unknown } | undefined } {
  let failure: { error: unknown } | undefined;
  const guard =
    <T>(call: (item: T) => void) =>
    (item: T): void => {
      try {
        call(item);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    };
  const { adopt } = sink;
  return {
    failed: () => failure,
    sink: {
      ...(adopt && { adopt: guard(adopt) }),
      event: guard((event) => sink.event(event)),
      fact: guard((fact) => sink.fact(fact)),
      presence: guard((span) => sink.presence(span)),
      async settle() {
        try {
          await sink.settle();
        } catch (error) {
          failure ??= { error };
          throw error;
        }
      },
    },
  };
}
