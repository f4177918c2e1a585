/** How a transport's wrapping of single lines is declared. One envelope, one file; the table is `envelopes.ts`. */
import type { TimeHit, TimeReader } from '../../time/index.js';

/** What a wrapper says about the line in it. */
export interface Wrapping {
  readonly time?: TimeHit | undefined;
  readonly container?: string | undefined;
  readonly host?: string | undefined;
  readonly pid?: number | undefined;
  readonly stream?: string | undefined;
}

export interface Peeled extends Wrapping {
  /** The line without its wrapping. */
  readonly payload: string;
  /** `part`: the line goes on in the next one of the same stream. */
  readonly part?: boolean;
}

export interface EnvelopeContext {
  readonly time: TimeReader;
  /** Share of the lines in the head of the source that the envelope's `mark` fits, 0 to 1. */
  share(name: string): number;
}

export interface Envelope {
  readonly name: string;
  /** A cheap look at a line. */
  recognise(line: string, code: number, context: EnvelopeContext): boolean;
  /** The line out of its wrapping; undefined when it is not wrapped this way after all. Never throws. */
  peel(line: string, context: EnvelopeContext): Peeled | undefined;
}

export function defineEnvelope(envelope: Envelope): Envelope {
  return envelope;
}
