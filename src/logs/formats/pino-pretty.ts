import { levelByName } from '../record.js';
import { defineFormat } from './define-format.js';

/**
 * pino-pretty and the `bunyan` tool: `[10:30:00.123] INFO (mailer/4242): Job started`,
 * `[2024-01-15T10:30:00.123Z]  INFO: mailer/4242 on web-1: Job started (jobId=42)`. Fields follow on indented lines.
 */
const HEAD =
  /^(?:\[([^\]]{4,40})\] {1,2}|()(?=[A-Z]{4,7} ))(TRACE|DEBUG|INFO|WARN|ERROR|FATAL|USERLVL)(?: \[([^\]]{4,40})\])?(?: \(([^)]{0,120})\))?: /;
const BUNYAN = /^([\w.@-]{1,80})\/(\d{1,10}) on ([\w.-]{1,120})(?: \([^)]{0,200}\))?: /;

export const pinoPretty = defineFormat({
  name: 'pino-pretty',
  recognise: (line, code) => (code === 91 || (code >= 65 && code <= 90)) && HEAD.test(line.slice(0, 240)),
  parse(line, { time }) {
    const head = HEAD.exec(line.slice(0, 240));
    if (!head) return undefined;
    const hit = time.value(head[1] ?? head[4]);
    const message = line.slice(head[0].length);
    const bunyan = BUNYAN.exec(message.slice(0, 420));
    const [name, pid] = bunyan ? [bunyan[1], bunyan[2]] : whoOf(head[5]);
    return {
      format: bunyan ? 'bunyan-text' : 'pino-pretty',
      t: hit?.t,
      precision: hit?.precision ?? 'none',
      level: levelByName(head[3] ?? ''),
      message: bunyan ? message.slice(bunyan[0].length) : message,
      fields: { label: name, pid: pid === undefined ? undefined : Number(pid), host: bunyan?.[3] },
    };
  },
});

/** `4242`, `mailer/4242`, `mailer/4242 on web-1`. */
function whoOf(text: string | undefined): [string | undefined, string | undefined] {
  const match = /^(?:(.{1,100}?)\/)?(\d{1,10})(?: on |$)/.exec(text ?? '');
  return match ? [match[1], match[2]] : [text, undefined];
}

/**
 * The fields that follow a record on indented lines, `    key: <JSON>`, as an object. A stack inside an error is printed
 * raw, so such a value does not parse and is left to the continuation lines.
 */
export function prettyFields(rest: readonly string[]): { readonly [key: string]: unknown } {
  const found: Record<string, unknown> = {};
  for (let at = 0; at < rest.length; at++) {
    const match = /^ {4}([\w.@-]{1,64}): (.*)$/.exec((rest[at] ?? '').slice(0, 4096));
    if (match?.[1] === undefined) continue;
    let value = match[2] ?? '';
    if (value === '{' || value === '[') {
      const close = value === '{' ? '    }' : '    ]';
      while (++at < rest.length && rest[at] !== close) value += `\n${rest[at]}`;
      value += close;
    }
    try {
      found[match[1]] = JSON.parse(value);
    } catch {
      // Not JSON: a value cut by the terminal, or a raw stack.
    }
  }
  return found;
}
