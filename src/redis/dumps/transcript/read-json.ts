/**
 * `--json` and `--quoted-json` (redis-cli.c, cliFormatReplyJson): maps as objects, `inf` and `error:"…"` bare. The text is
 * Latin-1, one character a byte, because `--json` prints bytes that are no UTF-8 as they are. `--quoted-json` escapes strings
 * as for people and then doubles the backslashes but not the quotes, so that a string with a quote is no JSON (7.0.15).
 */
import { unquote } from '../../monitor/quoted.js';
import { relaxJson } from '../relaxed-json.js';
import { NIL, type Parsed, type Reply } from './reply.js';

const MAX_DEPTH = 12;

export function readJson(text: string, isQuoted: boolean): Parsed {
  const error = /^\s*error:"((?:[^"\\]|\\.)*)"\s*$/.exec(text)?.[1];
  if (error !== undefined) return { reply: { is: 'error', text: error } };
  const plain = isQuoted ? parse(unquoteStrings(text)) : parse(text);
  // A version that doubles the quotes too would write JSON.
  const isDoubled = plain === undefined && isQuoted;
  const parsed = isDoubled ? parse(text) : plain;
  if (parsed === undefined) return { problem: 'its JSON is cut off or broken' };
  const reply = toReply(parsed.value, isDoubled, 0);
  return reply === undefined ? { problem: 'it is nested too deep' } : { reply };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(relaxJson(text)) };
  } catch {
    return undefined;
  }
}

/** Strings that were escaped for people and had their backslashes doubled, as JSON. */
function unquoteStrings(text: string): string {
  return text.replaceAll('\\\\', '\\').replace(/"((?:[^"\\]|\\.)*)"/g, (_, inside: string) => {
    const bytes = Buffer.from(inside, 'latin1');
    return JSON.stringify(unquote(bytes, 0, bytes.length).toString('latin1'));
  });
}

function toReply(value: unknown, isQuoted: boolean, depth: number): Reply | undefined {
  if (typeof value === 'string') return { is: 'string', bytes: toBytes(value, isQuoted), at: 0 };
  if (typeof value === 'number') return { is: 'number', value };
  if (typeof value === 'boolean') return { is: 'number', value: value ? 1 : 0 };
  if (typeof value !== 'object' || value === null) return NIL;
  if (depth >= MAX_DEPTH) return undefined;
  if (!Array.isArray(value)) {
    const pairs: (readonly [Reply, Reply])[] = [];
    for (const [name, member] of Object.entries(value)) {
      const reply = toReply(member, isQuoted, depth + 1);
      if (reply === undefined) return undefined;
      pairs.push([{ is: 'string', bytes: toBytes(name, isQuoted), at: 0 }, reply]);
    }
    return { is: 'map', pairs };
  }
  const items: Reply[] = [];
  for (const member of value) {
    const reply = toReply(member, isQuoted, depth + 1);
    if (reply === undefined) return undefined;
    items.push(reply);
  }
  return { is: 'list', items };
}

function toBytes(text: string, isQuoted: boolean): Buffer {
  // A character beyond a byte comes from a \u escape of some other tool.
  const bytes = /[^\x00-\xff]/.test(text) ? Buffer.from(text, 'utf8') : Buffer.from(text, 'latin1');
  return isQuoted ? unquote(bytes, 0, bytes.length) : bytes;
}
