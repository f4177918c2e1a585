/** The envelopes, and how a line is taken out of them, one inside the other. */
import { createTimeReader, type TimeReader } from '../../time/index.js';
import { containerTime } from './container-time.js';
import type { Envelope, EnvelopeContext, Peeled, Wrapping } from './define-envelope.js';
import { dockerJson } from './docker-json.js';
import { JSON_WRAPPERS } from './json-wrapper.js';
import { cri, podPrefix } from './kubernetes.js';
import { compose, composeNamed, concurrently, pm2, stern } from './prefixes.js';
import { fluentBitFile, fluentdFile, serverSent } from './shipper-text.js';
import { awsTail, fly, grafanaText, logcli, papertrailArchive } from './store-text.js';
import { heroku, syslog } from './syslog.js';

/** First match wins; the outermost is taken off first, then the table is gone through again. */
export const ENVELOPES: readonly Envelope[] = [
  dockerJson,
  ...JSON_WRAPPERS,
  podPrefix,
  cri,
  logcli,
  grafanaText,
  papertrailArchive,
  fluentdFile,
  fluentBitFile,
  fly,
  heroku,
  syslog,
  pm2,
  compose,
  composeNamed,
  concurrently,
  stern,
  serverSent,
  awsTail,
  containerTime,
];

/** Wrappings inside wrappings: compose, daemon time and a shipper's JSON are three already. */
const MAX_DEPTH = 5;

export interface Unwrapped extends Wrapping {
  readonly payload: string;
  readonly part: boolean;
  /** Names of the envelopes, outermost first. */
  readonly names: readonly string[];
  /** Equal for lines that can belong to one record. */
  readonly key: string;
  /** `time` was given some time after the line was written. */
  readonly late: boolean;
  readonly anyOrder: boolean;
  readonly firstLineOnly: boolean;
}

/** Takes a line out of every envelope it is in; undefined for the many lines that are in none. */
export type Unwrap = (line: string) => Unwrapped | undefined;

const MAX_FIRST = 1000;
const MAX_HEAD_CHARS = 4096;

export function createUnwrap(active: readonly Envelope[], time: TimeReader): Unwrap {
  const context: EnvelopeContext = { time };
  return (line) => unwrap(line, active, context);
}

/** The envelopes to look for in a source, by its first entries. Those within others show when the others are off. */
export function envelopesIn(first: readonly string[]): readonly Envelope[] {
  const lines = first.slice(0, MAX_FIRST).filter((line) => line.trim() !== '');
  // What is read here must leave no trace in the reader of the source.
  const context: EnvelopeContext = { time: createTimeReader({ modifiedMs: 0 }) };
  let active: readonly Envelope[] = [];
  let payloads = lines;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const heads = payloads.map((line) => line.slice(0, MAX_HEAD_CHARS));
    const more = ENVELOPES.filter(
      (envelope) =>
        active.includes(envelope) ||
        envelope.head === undefined ||
        heads.filter((line) => envelope.head?.mark.test(line)).length > lines.length * envelope.head.minShare,
    );
    if (more.length === active.length) break;
    active = more;
    payloads = lines.map((line) => unwrap(line, more, context)?.payload ?? line);
  }
  return active;
}

/** Written without spreads: every wrapped line passes here. */
function unwrap(line: string, active: readonly Envelope[], context: EnvelopeContext): Unwrapped | undefined {
  const taken: Envelope[] = [];
  let payload = line;
  let part = false;
  let late = false;
  let time: Wrapping['time'];
  let container: string | undefined;
  let host: string | undefined;
  let pid: number | undefined;
  let stream: string | undefined;
  while (taken.length < MAX_DEPTH) {
    const peeled = peelOnce(payload, active, context, taken);
    if (!peeled) break;
    payload = peeled.payload;
    part = peeled.part ?? part;
    if (peeled.time) {
      time = peeled.time;
      late = taken.at(-1)?.late === true;
    }
    container = containerIn(container, peeled.container, taken.at(-1)?.within);
    host = peeled.host ?? host;
    pid = peeled.pid ?? pid;
    stream = peeled.stream ?? stream;
  }
  if (taken.length === 0) return undefined;
  return {
    payload,
    part,
    names: taken.map(({ name }) => name),
    key: `${container ?? ''}\n${host ?? ''}\n${pid ?? ''}\n${stream ?? ''}`,
    time,
    late,
    container,
    host,
    pid,
    stream,
    anyOrder: taken.some(({ anyOrder }) => anyOrder),
    firstLineOnly: taken.some(({ firstLineOnly }) => firstLineOnly),
  };
}

function containerIn(outer: string | undefined, inner: string | undefined, isWithin: true | undefined) {
  return isWithin && outer !== undefined && inner !== undefined ? `${outer}/${inner}` : (inner ?? outer);
}

/** Takes off one envelope that was not taken off yet, and notes it in `taken`. */
function peelOnce(
  line: string,
  active: readonly Envelope[],
  context: EnvelopeContext,
  taken: Envelope[],
): Peeled | undefined {
  const code = line.charCodeAt(0);
  for (const envelope of active) {
    if (!envelope.recognise(line, code) || taken.some(({ name }) => name === envelope.name)) continue;
    const peeled = envelope.peel(line, context);
    if (!peeled) continue;
    taken.push(envelope);
    return peeled;
  }
  return undefined;
}
