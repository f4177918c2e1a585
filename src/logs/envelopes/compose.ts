import { defineEnvelope } from './define-envelope.js';

/**
 * `worker-1  | line`, the prefix of `docker compose logs`, and `0|worker   | line` of `pm2 logs`. Other text may have a bar
 * after its first word too: a name without the replica's number counts only where most lines have such a prefix.
 */
const NUMBERED = /^(?:\d{1,4}\|)?([A-Za-z][\w.-]{0,120}[-_]\d{1,4}|(?<=\|)[\w.-]{1,60}) +\| ?/;
const ANY = /^([\w.-]{0,60}[A-Za-z][\w.-]{0,60}) +\| ?/;

export const compose = defineEnvelope({
  name: 'docker-compose',
  recognise: (line, code, context) =>
    code > 47 && code < 123 && (NUMBERED.test(line) || (context.share('docker-compose') > 0.5 && ANY.test(line))),
  peel(line) {
    const match = NUMBERED.exec(line) ?? ANY.exec(line);
    return match ? { payload: line.slice(match[0].length), container: pm2Name(line) ?? match[1] } : undefined;
  },
});

/** Share of lines with any such prefix, for the head of a source. */
export const COMPOSE_MARK = ANY;

function pm2Name(line: string): string | undefined {
  const match = /^(\d{1,4})\|([\w.-]{1,60})/.exec(line);
  return match ? `${match[2]}:${match[1]}` : undefined;
}
