/** How a format is declared. One format, one file; the tables are `text-formats.ts` and `json-formats.ts`. */
import type { TimeReader } from '../../time/index.js';
import type { JsonObject } from '../fields/collect.js';
import type { LogRecord } from '../record.js';
import type { TeamWords } from '../team/team-words.js';

export interface FormatContext {
  readonly time: TimeReader;
  /** What the team's configuration says, where there is one. */
  readonly team?: TeamWords;
}

/** A format whose records are text. */
export interface TextFormat {
  readonly name: string;
  /** A cheap look at the first line of a record; `code` is its first character. `parse` may still say no. */
  recognise(line: string, code: number): boolean;
  /** The record that the line begins; undefined when it is not of this format after all. Never throws. */
  parse(line: string, context: FormatContext): LogRecord | undefined;
}

/** A format whose records are JSON objects: where its parts stand. Paths may be dotted keys or nested ones. */
export interface JsonFormat {
  readonly name: string;
  /** Whether an object is of this format. The first row of the table that says yes is taken. */
  when(object: JsonObject): boolean;
  readonly time?: readonly string[];
  readonly level?: readonly string[];
  readonly message?: readonly string[];
  /** Brings an object of an unusual build to the usual one, before anything is looked up in it. */
  unfold?(object: JsonObject): JsonObject;
  /** Repairs time and level from the line itself, where parsing has lost them. */
  repair?(line: string, record: LogRecord): void;
}

export function defineFormat(format: TextFormat): TextFormat {
  return format;
}

export function defineJsonFormat(format: JsonFormat): JsonFormat {
  return format;
}
