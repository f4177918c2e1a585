/** What a reader told, a line each, in a notation that is easily written by hand. */
import type { EvidenceEvent } from '../../../src/model/event.js';
import type { ReadReport } from '../../../src/model/evidence.js';
import type { Fact } from '../../../src/model/fact.js';
import type { Collected } from '../collect.js';

const iso = (ms: number | undefined): string => (ms === undefined ? '-' : new Date(ms).toISOString());

const queueOf = ({ prefix, queue, db }: { prefix?: string; queue?: string; db?: number }): string =>
  `${prefix === undefined || prefix === 'bull' ? '' : `${prefix}:`}${queue}${db === undefined ? '' : ` [${db}]`}`;

const pairs = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('');

export function factLine(fact: Fact): string {
  switch (fact.type) {
    case 'job': {
      const { type, prefix, queue, db, job, offset, hasReturnValue, ...fields } = fact;
      return `job ${queueOf(fact)} ${job}${pairs(fields)}${hasReturnValue ? ' returned' : ''}`;
    }
    case 'member':
      return `member ${queueOf(fact)} ${fact.set} ${fact.job}${fact.score === undefined ? '' : ` ${fact.score}`}`;
    case 'lock':
      return `lock ${queueOf(fact)} ${fact.job} token=${fact.token ?? '-'} expires=${iso(fact.expiresAtMs)}`;
    case 'absent':
      return `absent ${queueOf(fact)} ${fact.job} ${fact.what}${fact.whileActive ? ' while active' : ''}`;
    case 'count':
      return `count ${queueOf(fact)} ${fact.of} ${fact.count}`;
    case 'stream': {
      const { type, prefix, queue, db, offset, ...fields } = fact;
      return `stream ${queueOf(fact)}${pairs(fields)}`;
    }
    case 'meta':
      return `meta ${queueOf(fact)} ${fact.field}=${fact.value}`;
    case 'server':
      return `server ${fact.field}=${fact.value}`;
    case 'connection': {
      const { role, name = '-', address, ageSeconds, idleSeconds, command } = fact;
      return `connection ${queueOf(fact)} ${role} ${name} ${address} age=${ageSeconds} idle=${idleSeconds} ${command}`;
    }
    case 'clock':
      return `clock ${fact.tokenPrefix} ${fact.low?.ms ?? '-'} ${fact.high?.ms ?? '-'}`;
    case 'snapshot':
      return `moment ${iso(fact.momentMs?.[0])} ${iso(fact.momentMs?.[1])}${fact.isPartial ? '' : ' whole'}`;
  }
}

export const eventLine = (event: EvidenceEvent): string =>
  `event ${queueOf(event)} ${event.job ?? '-'} ${event.kind} ${iso(event.t)}-${event.line}${
    event.token === undefined ? '' : ` token=${event.token}`
  }`;

export const reportLines = ({ damage, limits = [] }: ReadReport): string[] => [
  ...limits.map(({ what, detail, line }) => `limit ${what}: ${detail}${line === undefined ? '' : ` (line ${line})`}`),
  ...damage.map(({ what, line }) => `damage ${what}${line === undefined ? '' : ` (line ${line})`}`),
];

/** All of it, in no particular order. */
export const toldLines = ({ facts, events, report }: Collected): string[] =>
  [...facts.map(factLine), ...events.map(eventLine), ...reportLines(report)].sort();
