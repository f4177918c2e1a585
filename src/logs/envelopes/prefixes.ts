import { defineEnvelope } from './define-envelope.js';

/** `worker-1  | line`: the prefix of `docker compose logs`, with the number of the replica. */
const NUMBERED = /^([A-Za-z][\w.-]{0,120}[-_]\d{1,4}) +\| ?/;

export const compose = defineEnvelope({
  name: 'docker-compose',
  recognise: (line, code) => code > 64 && code < 123 && NUMBERED.test(line.slice(0, 160)),
  peel: (line) => fromPrefix(line, NUMBERED),
});

/** The same for a container named by hand: other text may have a bar after its first word too. */
const NAMED = /^([\w.-]{0,60}[A-Za-z][\w.-]{0,60}) +\| ?/;

export const composeNamed = defineEnvelope({
  name: 'docker-compose',
  head: { mark: NAMED, minShare: 0.5 },
  recognise: (line, code) => code > 47 && code < 123 && NAMED.test(line.slice(0, 160)),
  peel: (line) => fromPrefix(line, NAMED),
});

/** `0|worker   | line` of `pm2 logs`: number and name of the process. */
const PM2 = /^(\d{1,4})\|([\w.@-]{1,80}) *\| ?/;

export const pm2 = defineEnvelope({
  name: 'pm2',
  firstLineOnly: true,
  recognise: (line, code) => code > 47 && code < 58 && PM2.test(line.slice(0, 120)),
  peel(line) {
    const match = PM2.exec(line.slice(0, 120));
    return match ? { payload: line.slice(match[0].length), container: `${match[2]}:${match[1]}` } : undefined;
  },
});

/** `[0] line` or `[mail] line` of `concurrently`, `[0] [0] line` when it runs in itself. */
const CONCURRENTLY = /^(?:\[(?:\d{1,3}|[a-z][\w:.-]{0,40})\] ){0,2}\[(\d{1,3}|[a-z][\w:.-]{0,40})\] /;

export const concurrently = defineEnvelope({
  name: 'concurrently',
  within: true,
  head: { mark: /^\[\d{1,3}\] /, minShare: 0.5 },
  recognise: (line, code) => code === 91 && CONCURRENTLY.test(line.slice(0, 140)),
  peel: (line) => fromPrefix(line, CONCURRENTLY),
});

/**
 * `worker-6c9f-abcde worker line` of `stern`: pod and container, with `-A` the namespace in front. A pod of a StatefulSet
 * (`worker-0`) looks like a word of prose, so there the line itself must begin as records do.
 */
const STERN =
  /^(?:[a-z0-9][a-z0-9-]{0,62} (?=[a-z0-9.-]{1,250} [a-z0-9-]{1,63} ))?(?=\S{0,250}\d)([a-z0-9][a-z0-9.-]{1,240}-(?:[a-z0-9]{4,10}|\d{1,4}(?= (?:› )?[a-z0-9-]{1,63} (?:› )?[{[\d]))) (?:› )?[a-z0-9][a-z0-9-]{0,62} (?:› )?/;

export const stern = defineEnvelope({
  name: 'stern',
  head: { mark: STERN, minShare: 0.5 },
  recognise: (line, code) => code > 47 && code < 123 && STERN.test(line.slice(0, 330)),
  peel: (line) => fromPrefix(line, STERN),
});

function fromPrefix(line: string, pattern: RegExp) {
  const match = pattern.exec(line.slice(0, 330));
  return match ? { payload: line.slice(match[0].length), container: match[1] } : undefined;
}
