/**
 * The script that gathers the evidence of one queue. It is printed, not run: whoever has access to Redis reads it first. Names go
 * into assignments at its top and nowhere else; all that follows is the same text for everybody.
 */
import { readFileSync } from 'node:fs';
import { redisEscaped, shellQuoted } from './quote.js';

export interface CollectOptions {
  readonly queue: string;
  /** Id of one job. */
  readonly job?: string;
  readonly prefix: string;
  readonly cluster: boolean;
}

/** `templates/` of the package: two folders up from here, in `src` and in `dist` alike. */
const BODY = new URL('../../templates/collect.sh', import.meta.url);

/** A POSIX sh script. */
export function collectScript({ queue, job = '', prefix, cluster }: CollectOptions): string {
  const base = `${prefix}:${queue}`;
  const assignments = {
    BASE: base,
    SHOWN_BASE: redisEscaped(base),
    JOB: job,
    SHOWN_JOB: redisEscaped(job),
    CLUSTER: cluster ? '1' : '0',
  };
  return [
    '#!/bin/sh',
    '# Evidence of a BullMQ incident, collected with read-only commands. Made by bullmortem collect.',
    'set -u',
    'LC_ALL=C',
    'export LC_ALL',
    'umask 077',
    ...Object.entries(assignments).map(([name, value]) => `${name}=${shellQuoted(value)}`),
    '',
    readFileSync(BODY, 'utf8'),
  ].join('\n');
}
