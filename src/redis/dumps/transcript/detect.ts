/**
 * Whether a text is a transcript of redis-cli. A log that speaks of redis-cli is none: what counts are lines that are
 * commands, and how much of the text stands behind them.
 */
import type { Detection } from '../../../model/evidence.js';
import { cleanLine } from './clean-line.js';
import { isShellLine, parseCommandLine } from './command-line.js';
import { isReadCommand } from './known-commands.js';

const MAX_LINES = 2000;
/** Lines of loggers: a time first, or a JSON object with a level, time or message. */
const LOG_LINE =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ,]|\d\d:\d\d:\d\d\b|\w{3} +\d{1,2} \d\d:\d\d:\d\d|\d\d\/\w{3}\/\d{4}|\d{10,13}(?:\.\d+)? )|^\{"(?:level|time|timestamp|ts|msg|message|@timestamp|severity)"|^\[Nest\]|^(?:level|time|ts|msg)=/;

export function detectTranscript(head: Uint8Array): Detection | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (text.includes(0)) return undefined;
  const counts = countLines(text);
  if (counts.reads === 0 || counts.first === undefined) return undefined;
  const share = counts.behind / Math.max(1, counts.lines);
  if (share < 0.2 || counts.logs > counts.behind) return undefined;
  const score = share >= 0.5 ? 0.95 : 0.55;
  return {
    format: 'transcript',
    score,
    reason: `holds commands of redis-cli and their answers, the first in line ${counts.first}`,
  };
}

interface Counts {
  /** Lines that are not blank. */
  lines: number;
  logs: number;
  /** Commands, and what stands behind them. */
  behind: number;
  /** Commands that this tool reads. */
  reads: number;
  /** Line of the first command. */
  first: number | undefined;
}

function countLines(text: Buffer): Counts {
  const counts: Counts = { lines: 0, logs: 0, behind: 0, reads: 0, first: undefined };
  let isInAnswer = false;
  let shellPrompt = '';
  let at = 0;
  for (let line = 1; line <= MAX_LINES && at < text.length; line++) {
    const found = text.indexOf(0x0a, at);
    const end = found < 0 ? text.length : found;
    const plain = cleanLine(text.subarray(at, end)).trimEnd();
    at = end + 1;
    if (plain === '') continue;
    counts.lines++;
    const command = parseCommandLine(plain);
    if (command !== undefined) {
      if (isReadCommand(command.words)) counts.reads++;
      ({ shellPrompt } = command);
      counts.first ??= line;
      isInAnswer = true;
      counts.behind++;
    } else if (LOG_LINE.test(plain)) counts.logs++;
    else {
      if (isShellLine(plain, shellPrompt)) isInAnswer = false;
      if (isInAnswer) counts.behind++;
    }
  }
  return counts;
}
