import { levelByName } from '../record.js';
import { defineFormat } from './define-format.js';

/**
 * `[Nest] 4242  - 01/15/2024, 10:30:00 AM     LOG [MailProcessor] Processing job 42 +3ms`
 *
 * The time is what `Intl.DateTimeFormat` prints for the process' locale, without a zone; the name in front can be changed.
 */
const HEAD = /^\[[^\]]{1,60}\] (\d{1,10}) {1,2}- /;
const LEVEL = /^[\s\u202f]*(LOG|WARN|ERROR|DEBUG|VERBOSE|FATAL) (?:\[([^\]]{0,120})\] )?/;
/** For a date in a locale nobody knew of: the level is then looked for behind it. */
const LEVEL_ANYWHERE = /^.{4,48}?\s(LOG|WARN|ERROR|DEBUG|VERBOSE|FATAL) (?:\[([^\]]{0,120})\] )?/;
const SINCE = / \+\d{1,10}ms$/;

export const nest = defineFormat({
  name: 'nest',
  recognise: (line, code) => code === 91 && HEAD.test(line),
  parse(line, { time }) {
    const head = HEAD.exec(line);
    if (!head) return undefined;
    const hit = time.at(line, head[0].length);
    const rest = line.slice(hit?.end ?? head[0].length);
    const level = hit ? LEVEL.exec(rest) : LEVEL_ANYWHERE.exec(rest);
    if (!level) return undefined;
    return {
      format: 'nest',
      t: hit?.t,
      precision: hit?.precision ?? 'none',
      level: levelByName(level[1] ?? ''),
      message: rest.slice(level[0].length).replace(SINCE, ''),
      fields: { pid: Number(head[1]), label: level[2] },
    };
  },
});
