/**
 * An incident of the field in one file: what happened and who said so, what the analysis must say, and the evidence as those
 * people had it.
 *
 *   # the facts, in comment lines
 *   given lockDuration=30000                     what the analyst knew (optional)
 *   expect 218: lock-renewal/worker-unresponsive,event-loop-blocked likely..shown overlapping,possible
 *   missing 218: the events stream               a regular expression: what a cautious verdict must ask for
 *   regressed 218                                the second run began behind the first one's checkpoint
 *   expect nothing
 *   --- logs/ingest-1.log
 *   the lines of that file, to the next line that begins with three dashes
 */
import { readdirSync, readFileSync } from 'node:fs';
import { DUPLICATES, type Duplicate, STATUSES, type Status } from '../../src/model/analysis.js';
import { BOUNDARY_NAMES, type Boundary, CAUSE_NAMES, type Cause } from '../../src/model/boundaries.js';

export interface Expected {
  readonly job: string;
  /** Any of them: where those who knew named a way from one to the next. */
  readonly boundaries: readonly Boundary[];
  /** Any of them; none where the boundary is all that is known. */
  readonly causes: readonly Cause[];
  /** Statuses that are right, strongest first. */
  readonly statuses: readonly Status[];
  readonly duplicates: readonly Duplicate[];
  readonly missing: readonly RegExp[];
  readonly regressed: boolean;
}

export interface Incident {
  readonly name: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly given: Readonly<Record<string, number>>;
  readonly expected: readonly Expected[];
}

const EXPECT = /^expect (\S+): ([\w,-]+)(?:\/(\S+))? ([\w-]+)(?:\.\.([\w-]+))? (\S+)$/;

/** `incidents`: reported by somebody; `questions`: what people ask of such evidence, one case each. */
export function readIncidents(folder: 'incidents' | 'questions' = 'incidents'): Incident[] {
  const url = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(url)
    .sort()
    .map((file) => readIncident(file.replace(/\.txt$/, ''), readFileSync(new URL(file, url), 'utf8')));
}

/** @throws Error for a line that is none of the above: a test that expects nothing cannot fail. */
function readIncident(name: string, text: string): Incident {
  const [head = '', ...parts] = text.split(/^--- /m);
  const lines = head.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (!head.startsWith('#')) throw new Error(`${name}: the facts are missing`);
  const missing = lines.flatMap((line) => {
    const [, job, pattern] = /^missing (\S+): (.+)$/.exec(line) ?? [];
    return job === undefined || pattern === undefined ? [] : [{ job, pattern: new RegExp(pattern, 'i') }];
  });
  const expected = lines
    .filter((line) => line.startsWith('expect ') && line !== 'expect nothing')
    .map((line) => ({ ...readExpected(name, line, missing), regressed: lines.includes(`regressed ${jobIn(line)}`) }));
  if (expected.length === 0 && !lines.includes('expect nothing')) throw new Error(`${name}: nothing is expected`);
  const odd = lines.find((line) => !/^(?:expect|missing|given|regressed) /.test(line));
  if (odd !== undefined) throw new Error(`${name}: not understood: ${odd}`);
  return {
    name,
    files: parts.map((part) => {
      const end = part.indexOf('\n');
      return { path: part.slice(0, end).trim(), text: part.slice(end + 1) };
    }),
    given: Object.fromEntries(
      lines
        .filter((line) => line.startsWith('given '))
        .flatMap((line) => line.split(' ').slice(1))
        .map((pair) => [pair.split('=')[0] ?? '', Number(pair.split('=')[1])]),
    ),
    expected,
  };
}

function readExpected(
  name: string,
  line: string,
  missing: readonly { job: string; pattern: RegExp }[],
): Omit<Expected, 'regressed'> {
  const [, job, boundaries = '', causes, weakest = '', strongest = weakest, duplicates = ''] = EXPECT.exec(line) ?? [];
  if (job === undefined) throw new Error(`${name}: not understood: ${line}`);
  const [from, to] = [strongest, weakest].flatMap((word) => known(STATUSES, word)).map((one) => STATUSES.indexOf(one));
  return {
    job,
    boundaries: known(BOUNDARY_NAMES, boundaries),
    causes: causes === undefined ? [] : known(CAUSE_NAMES, causes),
    statuses: STATUSES.slice(from, (to ?? 0) + 1),
    duplicates: known(DUPLICATES, duplicates),
    missing: missing.filter((one) => one.job === job).map(({ pattern }) => pattern),
  };
}

const jobIn = (line: string): string => EXPECT.exec(line)?.[1] ?? '';

/** @throws Error for a word that is none of them. */
const known = <T extends string>(words: readonly T[], text: string): T[] =>
  text.split(',').map((word) => {
    const found = words.find((one) => one === word);
    if (found === undefined) throw new Error(`none of ${words.join(', ')}: ${word}`);
    return found;
  });
