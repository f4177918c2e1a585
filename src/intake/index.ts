/** What the pipeline needs of the intake: look the inputs up (`expandInputs`), then take them in (`takeIn`). */
export { type Detected, detect, formatNames, type IntakeReader } from './detect.js';
export { type Disk, nodeDisk } from './disk.js';
export { type ExpandOptions, expandInputs } from './expand-inputs.js';
export { type ForcedFormat, forcedFormatOf, parseForcedFormat } from './forced-format.js';
export { UNPACK_LIMITS } from './gunzip.js';
export type { UnpackLimits } from './inflate-member.js';
export {
  compareText,
  type DiskFile,
  type ExpandedInputs,
  type InputFile,
  type InputProblem,
  problemLine,
  type StdinInput,
  showName,
} from './input.js';
export { type OpenedSource, type OpenOptions, openSource, type SourceSummary } from './open-source.js';
export { OWN_REPORT } from './own-report.js';
export { READERS } from './readers.js';
export { type IntakeProgress, isLarge, type TakeIn, type TakeInOptions, type Taken, takeIn } from './take-in.js';
export type { IntakeTarget, SourceName, TakenSource } from './target.js';
