/**
 * Stable pseudonyms: the same key and name give the same pseudonym, in every output and every report, and without the key nobody can
 * try out names (HMAC-SHA-256).
 */
import { createHmac } from 'node:crypto';

export const NAME_KINDS = [
  'queue',
  'job',
  'jobname',
  'worker',
  'host',
  'pod',
  'token',
  'path',
  'key',
  'ip',
  'step',
  'text',
  'store',
  'option',
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** 40 bits: among a hundred thousand names two alike are most unlikely. */
const DIGITS = 10;
const DIGEST_DIGITS = 16;

export interface Pseudonyms {
  /** `queue-3f9a0c1b22`. */
  of(kind: NameKind, name: string): string;
  /** A digest of a record, so that nobody without the key can try out what the record may have said. */
  digest(digest: string): string;
}

/** What every pseudonym looks like. */
export const PSEUDONYM = new RegExp(`^(?:${NAME_KINDS.join('|')})-[0-9a-f]{${DIGITS}}$`);

export function createPseudonyms(key: string): Pseudonyms {
  const hmac = (kind: string, text: string): string =>
    createHmac('sha256', key).update(`${kind}\u0000${text}`).digest('hex');
  const known = new Map<string, string>();
  return {
    of(kind, name) {
      const id = `${kind}\u0000${name}`;
      const pseudonym = known.get(id) ?? `${kind}-${hmac(kind, name).slice(0, DIGITS)}`;
      known.set(id, pseudonym);
      return pseudonym;
    },
    digest: (digest) => hmac('digest', digest).slice(0, DIGEST_DIGITS),
  };
}
