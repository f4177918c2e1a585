import { defineEnvelope } from './define-envelope.js';

/**
 * `2024-01-15T10:30:00.123456789Z line`: `docker logs -t`, `kubectl logs --timestamps`, an S3 export of CloudWatch. An
 * application's own time looks much the same; it is a wrapper's if it has more digits than applications print, or if what
 * follows has a time of its own.
 */
const HEAD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d) /;
const OWN_TIME = /^(?:\{"|\[Nest\] \d|(?:ts|time|timestamp|level)=\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d\d:\d\d:\d\d)/;

export const containerTime = defineEnvelope({
  name: 'container-time',
  firstLineOnly: true,
  recognise: (line, code) => code >= 48 && code <= 57 && line.charCodeAt(10) === 84,
  peel(line, { time }) {
    const head = HEAD.exec(line.slice(0, 48));
    if (!head) return undefined;
    const payload = line.slice(head[0].length);
    if ((head[1]?.length ?? 0) < 7 && !OWN_TIME.test(payload.slice(0, 40))) return undefined;
    const hit = time.at(line, 0);
    return hit ? { payload, time: hit } : undefined;
  },
});
