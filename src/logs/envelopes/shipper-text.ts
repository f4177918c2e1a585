/** What shippers write to files where a line is not one JSON object. */
import { defineEnvelope } from './define-envelope.js';

/** `tag: [1705314600.123456, {"log":"…"}]`: Fluent Bit's file output. The time goes into the object, as its other outputs do. */
const FLUENT_BIT = /^[\w.*/-]{1,255}: \[(\d{10}\.\d{1,9}), \{/;

export const fluentBitFile = defineEnvelope({
  name: 'fluent-bit-file',
  head: { mark: FLUENT_BIT, minShare: 0 },
  recognise: (line) => line.endsWith('}]') && FLUENT_BIT.test(line.slice(0, 300)),
  peel: (line) => withDate(line, FLUENT_BIT.exec(line.slice(0, 300)), (time) => time, 1),
});

/** `2024-01-15T10:30:00+00:00<TAB>tag<TAB>{…}`: Fluentd's. */
const FLUENTD = /^(\d{4}-\d\d-\d\dT\S{8,22})\t[\w.*/-]{1,255}\t\{/;

export const fluentdFile = defineEnvelope({
  name: 'fluentd-file',
  head: { mark: FLUENTD, minShare: 0 },
  recognise: (line, code) => code >= 48 && code <= 57 && line.endsWith('}') && FLUENTD.test(line.slice(0, 300)),
  peel: (line) => withDate(line, FLUENTD.exec(line.slice(0, 300)), (time) => `"${time}"`, 0),
});

function withDate(line: string, head: RegExpExecArray | null, date: (time: string) => string, behind: number) {
  const time = head?.[1];
  if (!head || time === undefined) return undefined;
  const members = line.slice(head[0].length, line.length - behind);
  return { payload: members === '}' ? '' : `{"date":${date(time)},${members}` };
}

/** `data: {…}`: server-sent events, as `journalctl -o json-sse` prints them. */
const SSE = /^data: \{/;

export const serverSent = defineEnvelope({
  name: 'sse',
  head: { mark: SSE, minShare: 0 },
  recognise: (line, code) => code === 100 && line.startsWith('data: {') && line.endsWith('}'),
  peel: (line) => ({ payload: line.slice(6) }),
});
