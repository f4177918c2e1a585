/** Which of the inputs of `audit` are idempotency records, and which are evidence. Content decides. */
import {
  type ExpandedInputs,
  type ForcedFormat,
  forcedFormatOf,
  type InputFile,
  type InputProblem,
} from '../intake/index.js';
import { detectRecords, type GivenColumns, RECORD_FORMATS, type RecordSource, tableColumns } from '../records/index.js';
import { type Peeked, peekInput, type Spool } from './record-source.js';

export interface RecordInput extends Peeked {
  readonly detected: RecordSource;
}

export interface SortedInputs {
  readonly records: readonly RecordInput[];
  /** The rest, to be read as evidence. */
  readonly evidence: ExpandedInputs;
  /** What the standard input held, where it is evidence. */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

export interface SortOptions {
  readonly given: GivenColumns;
  readonly formats: readonly ForcedFormat[];
  readonly assumeTz?: string;
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Inputs that are records because the analyst said so; what is not in the form of any is a problem. */
  readonly areRecords?: (input: InputFile) => boolean;
}

export async function sortInputs(inputs: ExpandedInputs, spool: Spool, options: SortOptions): Promise<SortedInputs> {
  const records: RecordInput[] = [];
  const files: InputFile[] = [];
  const problems: InputProblem[] = [...inputs.problems];
  let stdin: AsyncIterable<Uint8Array> | undefined;
  for (const input of inputs.files) {
    const isSaid = options.areRecords?.(input) ?? false;
    const forced = forcedFormatOf({ path: input.path, fileName: input.fileName }, options.formats);
    const isForced = RECORD_FORMATS.some((name) => name === forced);
    if (options.areRecords !== undefined && !isSaid) {
      files.push(input);
      continue;
    }
    if (forced !== undefined && !isForced && !isSaid) {
      files.push(input);
      continue;
    }
    const peeked = await peekInput(input, spool, options.stdin);
    if ('problem' in peeked) {
      // The intake says the same, and may know a packing of which nothing is known here.
      if (isSaid) problems.push(peeked.problem);
      else files.push(input);
      continue;
    }
    const how = {
      given: options.given,
      isGiven: isSaid || isForced,
      isWhole: peeked.isWhole,
      ...(options.assumeTz === undefined ? {} : { assumeTz: options.assumeTz }),
      ...(peeked.modifiedMs === undefined ? {} : { modifiedMs: peeked.modifiedMs }),
    };
    const detected = await detectRecords(peeked.head, how);
    if (detected !== undefined) {
      records.push({ ...peeked, detected });
      continue;
    }
    const columns = tableColumns(peeked.head, peeked.isWhole, input.fileName);
    if (isSaid || isForced || columns !== undefined) {
      problems.push(noRecords(input, columns));
      continue;
    }
    if (input.kind === 'stdin') stdin = peeked.blocks();
    files.push(input);
  }
  return { records, evidence: { files, problems }, ...(stdin === undefined ? {} : { stdin }) };
}

const MOST_NAMED = 12;

function noRecords(input: InputFile, columns: readonly string[] | undefined): InputProblem {
  const shown = columns?.slice(0, MOST_NAMED).join(', ');
  return {
    input: input.input,
    what: `no idempotency records: ${input.path}: ${shown === undefined ? 'it is in the form of none that is known' : `no column of it is known to name a key; its columns are ${shown}`}`,
    hint: shown === undefined ? 'leave it out' : 'name the column with --columns key=COLUMN',
    named: input.named,
  };
}
