/** The renderings that drop the nesting: `--csv`, one line of values, and `--raw`, one line a value. */
import { unquote } from '../../monitor/quoted.js';
import { NIL, type Parsed, type Reply } from './reply.js';

const VALUE = /(?:"((?:[^"\\]|\\.)*)"|(NULL)|(-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)|true|false))(,|$)/y;
/** Codes that begin an error of Redis, of a cluster and of redis-cli itself, which `--raw` prints like any text. */
const ERROR =
  /^(?:(?:ERR|WRONGTYPE|NOAUTH|NOPERM|WRONGPASS|MOVED|ASK|LOADING|MASTERDOWN|CLUSTERDOWN|BUSY|READONLY|OOM|MISCONF|CROSSSLOT|TRYAGAIN|EXECABORT|NOSCRIPT) |(?:AUTH failed|Could not connect|Error:))/;

export function readCsv(line: string): Parsed {
  if (line.startsWith('ERROR,'))
    return { reply: { is: 'error', text: line.slice('ERROR,'.length).replace(/^"|"$/g, '') } };
  const items: Reply[] = [];
  VALUE.lastIndex = 0;
  let comma = line === '' ? '' : ',';
  while (comma === ',') {
    const found = VALUE.exec(line);
    if (found === null) return { problem: 'its line of values is cut off or broken' };
    const [, quoted, nil, number, after = ''] = found;
    if (quoted !== undefined) {
      const bytes = Buffer.from(quoted, 'latin1');
      items.push({ is: 'string', bytes: unquote(bytes, 0, bytes.length), at: 0 });
    } else items.push(nil === undefined ? { is: 'number', value: csvNumber(number ?? '') } : NIL);
    comma = after;
  }
  return { reply: { is: 'flat', items, exact: true } };
}

function csvNumber(text: string): number {
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0;
  return Number(text.replace('inf', 'Infinity'));
}

/** @param lines the answer's lines as Latin-1 text, without blank ones at the end. */
export function readRaw(lines: readonly string[]): Parsed {
  const [first] = lines;
  if (first === undefined) return { reply: NIL };
  if (ERROR.test(first)) return { reply: { is: 'error', text: first } };
  const items = lines.map((line, at): Reply => ({ is: 'string', bytes: Buffer.from(line, 'latin1'), at }));
  return { reply: { is: 'flat', items, exact: false } };
}
