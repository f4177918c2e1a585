/** The lines of a log as transports and stores hand them on, each in its own shape. Newest first where a store answers so. */

interface Written {
  /** One process: its pod, container or host, as the collector names it. */
  readonly pod: string;
  readonly text: string;
  /** When the collector took the line, ms. */
  readonly ms: number;
}

const iso = ({ ms }: Written): string => new Date(ms).toISOString();
const nanos = (line: Written): string => `${iso(line).slice(0, -1)}004000Z`;
const microsIso = (line: Written): string => `${iso(line).slice(0, -1)}004+00:00`;
const lines = (of: readonly Written[], write: (line: Written) => string): string => `${of.map(write).join('\n')}\n`;
const ndjson = (of: readonly Written[], write: (line: Written) => unknown): string =>
  lines(of, (line) => JSON.stringify(write(line)));
const newestFirst = (of: readonly Written[]): Written[] => [...of].reverse();
const csv = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
/** containerd cuts long lines into parts. */
const CRI_PART = 120;

export const WRAPPINGS: Readonly<Record<string, (of: readonly Written[]) => string>> = {
  'docker json-file': (of) => ndjson(of, (line) => ({ log: `${line.text}\n`, stream: 'stdout', time: nanos(line) })),
  'docker logs -t': (of) => lines(of, (line) => `${nanos(line)} ${line.text}`),
  'docker compose logs': (of) => lines(of, (line) => `${line.pod}  | ${line.text}`),
  CRI: (of) =>
    of
      .flatMap((line) => {
        const parts = line.text.match(new RegExp(`.{1,${CRI_PART}}`, 'gs')) ?? [''];
        return parts.map((part, n) => `${nanos(line)} stdout ${n === parts.length - 1 ? 'F' : 'P'} ${part}\n`);
      })
      .join(''),
  'kubectl logs --prefix --timestamps': (of) =>
    lines(of, (line) => `[pod/${line.pod}/worker] ${nanos(line)} ${line.text}`),
  stern: (of) => lines(of, (line) => `${line.pod} worker ${line.text}`),
  'RFC 5424': (of) => lines(of, (line) => `<134>1 ${microsIso(line)} ${line.pod} worker 7 - - ${line.text}`),
  'journalctl -o json': (of) =>
    ndjson(of, (line) => ({
      __CURSOR: `s=1;i=${line.ms}`,
      __REALTIME_TIMESTAMP: `${line.ms}004`,
      _HOSTNAME: line.pod,
      SYSLOG_IDENTIFIER: 'node',
      _PID: '7',
      MESSAGE: line.text,
    })),
  Heroku: (of) => lines(of, (line) => `${microsIso(line)} app[${line.pod}]: ${line.text}`),
  'CloudWatch filter-log-events': (of) =>
    JSON.stringify({
      events: of.map((line) => ({
        logStreamName: line.pod,
        timestamp: line.ms,
        message: line.text,
        ingestionTime: line.ms + 900,
        eventId: String(line.ms),
      })),
      searchedLogStreams: [],
    }),
  'Loki query_range': (of) =>
    JSON.stringify({
      status: 'success',
      data: {
        resultType: 'streams',
        result: [
          {
            stream: { pod: of[0]?.pod, app: 'worker' },
            values: newestFirst(of).map((line) => [`${line.ms}004000`, line.text]),
          },
        ],
      },
    }),
  'Datadog CSV': (of) =>
    `Date,Host,Service,Message\n${lines(newestFirst(of), (line) => [iso(line), line.pod, 'worker', csv(line.text)].join(','))}`,
  'Google Cloud array': (of) =>
    JSON.stringify(
      newestFirst(of).map((line) => ({
        insertId: String(line.ms),
        logName: 'projects/p/logs/stdout',
        receiveTimestamp: nanos({ ...line, ms: line.ms + 700 }),
        resource: { type: 'k8s_container', labels: { pod_name: line.pod, container_name: 'worker' } },
        severity: 'INFO',
        timestamp: nanos(line),
        textPayload: line.text,
      })),
    ),
  'Elasticsearch hits': (of) =>
    JSON.stringify({
      took: 5,
      timed_out: false,
      hits: {
        total: { value: of.length, relation: 'eq' },
        hits: newestFirst(of).map((line) => ({
          _index: 'logs',
          _id: String(line.ms),
          _source: { '@timestamp': iso(line), kubernetes: { pod: { name: line.pod } }, message: line.text },
          sort: [line.ms],
        })),
      },
    }),
  'OTLP JSON': (of) =>
    ndjson(of, (line) => ({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'k8s.pod.name', value: { stringValue: line.pod } }] },
          scopeLogs: [{ logRecords: [{ timeUnixNano: `${line.ms}004000`, body: { stringValue: line.text } }] }],
        },
      ],
    })),
};

/** The lines of one process. `text`: its log, of JSON lines with their times. */
export function writtenLines(pod: string, text: string): Written[] {
  let ms = 0;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const record = JSON.parse(line) as { time?: number; timestamp?: string };
      const own = record.time ?? Date.parse(record.timestamp ?? '');
      // A collector is behind the process, and never hands two lines on in one moment.
      ms = Math.max(ms + 1, own + 2);
      return { pod, text: line, ms };
    });
}
