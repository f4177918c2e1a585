import { defineFormat } from './define-format.js';

/** What Node itself prints: warnings, and the pages of a heap that is full. The number in front is the process. */
const WARNING = /^\(node:(\d{1,10})\) /;
const HINT = /^\(Use `node --trace-/;
const GC_TITLE = /^<--- (?:Last few GCs|JS stacktrace) --->/;
const GC = /^\[(\d{1,10}):0x[0-9a-f]{1,16}\] +\d/;

export const nodeOutput = defineFormat({
  name: 'node-output',
  recognise: (line, code) => code === 40 || code === 60 || (code === 91 && GC.test(line.slice(0, 48))),
  parse(line) {
    const head = line.slice(0, 48);
    const pid = (WARNING.exec(head) ?? GC.exec(head))?.[1];
    if (pid === undefined && !HINT.test(head) && !GC_TITLE.test(head)) return undefined;
    return {
      format: 'node-output',
      precision: 'none',
      level: 40,
      message: line.replace(WARNING, ''),
      fields: { pid: pid === undefined ? undefined : Number(pid) },
    };
  },
});

/** `worker-1 exited with code 137`: said by docker compose of a container, in a line of its own without prefix. */
const EXIT = /^([A-Za-z][\w.-]{0,120}) exited with code (\d{1,3})/;

export const containerExit = defineFormat({
  name: 'container-exit',
  recognise: (line, code) => code >= 65 && code <= 122 && EXIT.test(line.slice(0, 160)),
  parse(line) {
    const match = EXIT.exec(line.slice(0, 160));
    if (!match) return undefined;
    const fields = { container: match[1], exitCode: Number(match[2]) };
    return { format: 'container-exit', precision: 'none', message: line, fields };
  },
});
