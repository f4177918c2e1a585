/** How a transport's wrapping of single lines is declared. One transport, one file; the table is `envelopes.ts`. */
import type { TimeHit, TimeReader } from '../../time/index.js';

/** What a wrapper says about the line in it. */
export interface Wrapping {
  readonly time?: TimeHit | undefined;
  /** Pod, container, dyno or stream: what the transport calls the process. */
  readonly container?: string | undefined;
  readonly host?: string | undefined;
  readonly pid?: number | undefined;
  readonly stream?: string | undefined;
}

export interface Peeled extends Wrapping {
  /** The line without its wrapping. */
  readonly payload: string;
  /** True: the line goes on in the next one of the same stream. */
  readonly part?: boolean;
}

export interface EnvelopeContext {
  readonly time: TimeReader;
}

export interface Envelope {
  readonly name: string;
  /** Its times are given where lines are collected, some time after they were written. */
  readonly late?: true;
  /** Exports of a store: newest first, or in no order. */
  readonly anyOrder?: true;
  /** What it calls a process is only told apart within what the wrapping around it names. */
  readonly within?: true;
  /** Of a record of several lines only the first is wrapped. */
  readonly firstLineOnly?: true;
  /**
   * For wrappings that other text can look like: they count only in a source of whose first lines more than `minShare` (0
   * to 1) fit the mark. Absent: always looked for.
   */
  readonly head?: { readonly mark: RegExp; readonly minShare: number };
  /** A cheap look at a line; `code` is its first character. */
  recognise(line: string, code: number): boolean;
  /** The line out of its wrapping; undefined when it is not wrapped this way after all. Never throws. */
  peel(line: string, context: EnvelopeContext): Peeled | undefined;
}

export function defineEnvelope(envelope: Envelope): Envelope {
  return envelope;
}
