/** The envelopes, and how a line is taken out of them, one inside the other. */
import type { TimeReader } from '../../time/index.js';
import { cleanLine } from '../clean-line.js';
import { containerTime } from './container-time.js';
import type { Envelope, EnvelopeContext, Peeled, Wrapping } from './define-envelope.js';
import { dockerJson } from './docker-json.js';
import { JSON_WRAPPERS } from './json-wrappers.js';
import { cri, podPrefix } from './kubernetes.js';
import { compose, composeNamed, concurrently, pm2, stern } from './prefixes.js';
import { heroku, syslog } from './syslog.js';

/** First match wins; the outermost is taken off first, then the table is gone through again. */
export const ENVELOPES: readonly Envelope[] = [
  dockerJson,
  ...JSON_WRAPPERS,
  podPrefix,
  cri,
  heroku,
  syslog,
  pm2,
  compose,
  composeNamed,
  concurrently,
  stern,
  containerTime,
];

/** Wrappings inside wrappings: compose, daemon time and a shipper's JSON are three already. */
const MAX_DEPTH = 4;

export interface Unwrapped extends Wrapping {
  readonly payload: string;
  readonly part: boolean;
  /** Names of the envelopes, outermost first. */
  readonly names: readonly string[];
  /** Equal for lines that can belong to one record. */
  readonly key: string;
}

/** Takes a line out of every envelope it is in; undefined for the many lines that are in none. */
export type Unwrap = (line: string) => Unwrapped | undefined;

/** `head` is the text of the first lines of the source. */
export function createUnwrap(head: string, time: TimeReader): Unwrap {
  const context: EnvelopeContext = { time };
  const lines = head
    .split('\n')
    .slice(0, 1000)
    .filter((line) => line.trim() !== '')
    .map((line) => cleanLine(line.slice(0, 2048)));
  const active = ENVELOPES.filter(({ head }) => {
    if (!head) return true;
    const hits = lines.filter((line) => head.mark.test(line)).length;
    return hits > lines.length * head.minShare;
  });
  return (line) => unwrap(line, active, context);
}

function unwrap(line: string, active: readonly Envelope[], context: EnvelopeContext): Unwrapped | undefined {
  let payload = line;
  let names: string[] | undefined;
  let part = false;
  let wrapping: Wrapping = {};
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const peeled = peelOnce(payload, active, context, names);
    if (!peeled) break;
    names ??= [];
    names.push(peeled.name);
    payload = peeled.payload;
    part = peeled.part ?? part;
    wrapping = {
      time: peeled.time ?? wrapping.time,
      container: peeled.container ?? wrapping.container,
      host: peeled.host ?? wrapping.host,
      pid: peeled.pid ?? wrapping.pid,
      stream: peeled.stream ?? wrapping.stream,
    };
  }
  if (names === undefined) return undefined;
  const key = `${wrapping.container ?? ''}\n${wrapping.host ?? ''}\n${wrapping.pid ?? ''}\n${wrapping.stream ?? ''}`;
  return { ...wrapping, payload, part, names, key };
}

function peelOnce(
  line: string,
  active: readonly Envelope[],
  context: EnvelopeContext,
  seen: readonly string[] | undefined,
): (Peeled & { name: string }) | undefined {
  const code = line.charCodeAt(0);
  for (const envelope of active) {
    if (seen?.includes(envelope.name) || !envelope.recognise(line, code)) continue;
    const peeled = envelope.peel(line, context);
    if (peeled) return { ...peeled, name: envelope.name };
  }
  return undefined;
}
