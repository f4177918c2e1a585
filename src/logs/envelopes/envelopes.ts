/** The envelopes, and how a line is taken out of them, one inside the other. */
import { COMPOSE_MARK, compose } from './compose.js';
import { containerTime } from './container-time.js';
import type { Envelope, EnvelopeContext, Wrapping } from './define-envelope.js';
import { dockerJson } from './docker-json.js';
import { cri, podPrefix } from './kubernetes.js';

/** First match wins; a row may be applied again to what it uncovers. */
export const ENVELOPES: readonly Envelope[] = [dockerJson, podPrefix, cri, compose, containerTime];

/** Wrappings inside wrappings: compose, daemon time and a shipper's JSON are three already. */
const MAX_DEPTH = 4;

export interface Unwrapped extends Wrapping {
  readonly payload: string;
  readonly part: boolean;
  /** Names of the envelopes, outermost first; empty for a bare line. */
  readonly names: readonly string[];
  /** Equal for lines that can belong to one record. */
  readonly key: string;
}

const NO_NAMES: readonly string[] = [];

/** Takes a line out of every envelope it is in; undefined for the many lines that are in none. */
export function unwrap(line: string, context: EnvelopeContext): Unwrapped | undefined {
  let payload = line;
  let names: string[] | undefined;
  let part = false;
  let wrapping: Wrapping = {};
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const peeled = peelOnce(payload, context, names ?? NO_NAMES);
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
  return {
    ...wrapping,
    payload,
    part,
    names,
    key: `${wrapping.container ?? ''}\n${wrapping.host ?? ''}\n${wrapping.stream ?? ''}`,
  };
}

function peelOnce(line: string, context: EnvelopeContext, seen: readonly string[]) {
  const code = line.charCodeAt(0);
  for (const envelope of ENVELOPES) {
    if (seen.includes(envelope.name) || !envelope.recognise(line, code, context)) continue;
    const peeled = envelope.peel(line, context);
    if (peeled) return { ...peeled, name: envelope.name };
  }
  return undefined;
}

/** Patterns whose share of lines in the head of a source decides how freely an envelope may match. */
export const HEAD_MARKS: Readonly<Record<string, RegExp>> = { 'docker-compose': COMPOSE_MARK };
