/** What stores, and the tools that ask them, print as lines of text. */
import { defineEnvelope } from './define-envelope.js';

/** `2024-01-15T10:30:00Z {app="worker", pod="x"} line`: logcli and Grafana, to the second, newest first. */
const LOGCLI =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d) \{((?:[\w.]{1,80}="[^"]{0,500}"(?:, ?)?){0,40})\} {1,80}/;
const LABEL =
  /(?:^|[\s,])(?:pod|pod_name|k8s_pod_name|kubernetes_pod_name|container_name|container|instance)="([^"]{1,256})"/;
const HOST = /(?:^|[\s,])(?:host|hostname|nodename|node_name)="([^"]{1,256})"/;

export const logcli = defineEnvelope({
  name: 'logcli',
  head: { mark: LOGCLI, minShare: 0 },
  late: true,
  anyOrder: true,
  firstLineOnly: true,
  recognise: (line, code) => code >= 48 && code <= 57 && line.charCodeAt(10) === 84 && /^\S{19,35} \{[\w}]/.test(line),
  peel(line, { time }) {
    const head = LOGCLI.exec(line.slice(0, 4096));
    if (!head) return undefined;
    const payload = line.slice(head[0].length);
    const container = LABEL.exec(head[1] ?? '')?.[1];
    return {
      // The labels are padded, and a frame of a stack is indented.
      payload: payload.startsWith('at ') ? `    ${payload}` : payload,
      time: time.at(line, 0),
      container,
      host: container === undefined ? HOST.exec(head[1] ?? '')?.[1] : undefined,
    };
  },
});

/** `1705314600123<TAB>2024-01-15T10:30:00.123Z<TAB>line`: Grafana's text export of the lines it shows. */
const GRAFANA = /^\d{13}\t\d{4}-\d\d-\d\dT\S{8,22}\t/;

export const grafanaText = defineEnvelope({
  name: 'grafana',
  head: { mark: GRAFANA, minShare: 0 },
  late: true,
  anyOrder: true,
  firstLineOnly: true,
  recognise: (line, code) => code === 49 && line.charCodeAt(13) === 9 && GRAFANA.test(line.slice(0, 48)),
  peel(line, { time }) {
    const head = GRAFANA.exec(line.slice(0, 48));
    return head ? { payload: line.slice(head[0].length), time: time.at(line, 0) } : undefined;
  },
});

/**
 * Papertrail's archives: ten columns with tabs and no header: id, generated, received, source id, source name, its address,
 * facility, severity, program, message.
 */
const PAPERTRAIL =
  /^\d{1,20}\t([^\t]{19,35})\t[^\t]{19,35}\t\d{1,12}\t([^\t]{1,255})\t[^\t]{0,45}\t[^\t]{0,32}\t[^\t]{0,32}\t([^\t]{0,255})\t/;

export const papertrailArchive = defineEnvelope({
  name: 'papertrail-archive',
  head: { mark: PAPERTRAIL, minShare: 0 },
  recognise: (line, code) => code >= 48 && code <= 57 && /^\d{1,20}\t\d{4}-/.test(line.slice(0, 28)),
  peel(line, { time }) {
    const head = PAPERTRAIL.exec(line.slice(0, 1024));
    if (!head) return undefined;
    const dyno = /^(?:app|heroku)\/(.+)$/.exec(head[3] ?? '')?.[1];
    return {
      payload: line.slice(head[0].length),
      time: time.value(head[1]),
      host: dyno === undefined ? head[2] : undefined,
      container: dyno,
    };
  },
});

/** `2024-01-15T10:30:00.123000+00:00 worker/app/0a1b line` of `aws logs tail`: the time, then the stream. */
const AWS_TAIL =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\+00:00)? ([\w.-]{1,120}(?:\/[\w.[\]$-]{1,200}){1,6}) /;

export const awsTail = defineEnvelope({
  name: 'aws-tail',
  head: { mark: AWS_TAIL, minShare: 0.3 },
  late: true,
  firstLineOnly: true,
  recognise: (line, code) =>
    code >= 48 && code <= 57 && line.charCodeAt(10) === 84 && AWS_TAIL.test(line.slice(0, 512)),
  peel(line, { time }) {
    const head = AWS_TAIL.exec(line.slice(0, 512));
    return head ? { payload: line.slice(head[0].length), time: time.at(line, 0), container: head[1] } : undefined;
  },
});

/** `2024-01-15T10:30:00Z app[148e2d0b] ams [info]line` of `fly logs`: machine, region, and a level glued to the line. */
const FLY = /^\d{4}-\d\d-\d\dT\S{8,26} (?:app|runner)\[(\w{6,20})\] [a-z]{3} (\[\w{3,8}\])/;

export const fly = defineEnvelope({
  name: 'fly',
  head: { mark: FLY, minShare: 0 },
  late: true,
  recognise: (line, code) => code >= 48 && code <= 57 && line.charCodeAt(10) === 84 && FLY.test(line.slice(0, 90)),
  peel(line, { time }) {
    const head = FLY.exec(line.slice(0, 90));
    if (!head) return undefined;
    const rest = line.slice(head[0].length);
    // A line of its own form needs no level in front.
    const payload = /^\s*[{[\d]/.test(rest) ? rest.trimStart() : `${head[2]} ${rest}`;
    return { payload, time: time.at(line, 0), container: head[1] };
  },
});
