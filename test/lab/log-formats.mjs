/**
 * What loggers make of a record `{ level, msg, fields, err, at }` said by a process `{ service, host, pid }`. Shapes as the
 * libraries print them with the settings teams use; times are UTC because the workers run with TZ=UTC.
 */
import { inspect } from 'node:util';

const PINO_LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 };
const NEST_LEVELS = { info: 'LOG', warn: 'WARN', error: 'ERROR', fatal: 'FATAL' };

const pinoError = (err) => (err ? { err: { type: err.name, message: err.message, stack: err.stack } } : {});
const sorted = (record) => Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const bare = (value) => (/^[\w.:/-]+$/.test(String(value)) ? String(value) : JSON.stringify(String(value)));
const pairs = (fields) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${bare(value)}`)
    .join(' ');
const words = (...parts) => parts.filter((part) => part !== '').join(' ');
const stackBelow = (err) => (err ? `\n${err.stack}` : '');
const time = (at) => at.toISOString().slice(11, 23);

/** US date and a 12-hour clock without zone or milliseconds, as Nest prints by default. */
const nestTime = (at) =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZone: 'UTC',
  })
    .format(at)
    .replace(/\u202f/g, ' ');

export const LOG_FORMATS = {
  pino: ({ level, msg, fields, err, at }, { service, host, pid }) =>
    JSON.stringify({
      level: PINO_LEVELS[level],
      time: at.getTime(),
      pid,
      hostname: host,
      name: service,
      ...fields,
      ...pinoError(err),
      msg,
    }),

  /** pino with isoTime and the level as a word. */
  'pino-iso': ({ level, msg, fields, err, at }, { host, pid }) =>
    JSON.stringify({ level, time: at.toISOString(), pid, hostname: host, ...fields, ...pinoError(err), msg }),

  winston: ({ level, msg, fields, err, at }, { service, host }) =>
    JSON.stringify(
      sorted({
        service,
        host,
        ...fields,
        ...(err ? { error: err.message, stack: err.stack } : {}),
        level: level === 'fatal' ? 'error' : level,
        message: msg,
        timestamp: at.toISOString(),
      }),
    ),

  nest: ({ level, msg, fields, err, at }, { service, pid }) =>
    `[Nest] ${pid}  - ${nestTime(at)} ${NEST_LEVELS[level].padStart(7)} [${service}] ${words(msg, pairs(fields))}${stackBelow(err)}`,

  logfmt: ({ level, msg, fields, err, at }, { service, host }) =>
    pairs({ ts: at.toISOString(), level, service, host, ...fields, ...(err ? { err: err.message } : {}), msg }),

  console: ({ level, msg, fields, err, at }) =>
    `[${at.toISOString()}] ${level.toUpperCase()} ${words(msg, pairs(fields))}${stackBelow(err)}`,

  /** console.log and console.error as they are: no time, no level. */
  bare: ({ msg, fields, err }) => {
    const shown = Object.keys(fields).length > 0 ? inspect(fields) : '';
    return words(msg, shown, err ? err.stack : '');
  },

  bunyan: ({ level, msg, fields, err, at }, { service, host, pid }) =>
    JSON.stringify({
      name: service,
      hostname: host,
      pid,
      level: PINO_LEVELS[level],
      ...fields,
      ...(err ? { err: { message: err.message, name: err.name, stack: err.stack } } : {}),
      msg,
      time: at.toISOString(),
      v: 0,
    }),

  ecs: ({ level, msg, fields, err, at }, { service, host, pid }) =>
    JSON.stringify({
      'log.level': level,
      '@timestamp': at.toISOString(),
      'process.pid': pid,
      'host.hostname': host,
      'ecs.version': '8.10.0',
      'service.name': service,
      ...fields,
      ...(err ? { error: { type: err.name, message: err.message, stack_trace: err.stack } } : {}),
      message: msg,
    }),

  /** ConsoleLogger of Nest 11 with `json: true`. */
  'nest-json': ({ level, msg, fields, err, at }, { service, pid }) =>
    JSON.stringify({
      level: level === 'info' ? 'log' : level,
      pid,
      timestamp: at.getTime(),
      message: words(msg, pairs(fields)),
      context: service,
      ...(err ? { stack: err.stack } : {}),
    }),

  /** log4js as it is: a local time that looks like ISO, objects and errors inspected. */
  log4js: ({ level, msg, fields, err, at }, { service }) => {
    const shown = Object.keys(fields).length > 0 ? inspect(fields) : '';
    return `[${at.toISOString().slice(0, -1)}] [${level.toUpperCase()}] ${service} - ${words(msg, shown, err ? inspect(err) : '')}`;
  },

  /** The printf of winston's README: a local time without zone, and of an error its message only. */
  printf: ({ level, msg, fields, err, at }, { service }) => {
    const shown = Object.keys(fields).length > 0 ? JSON.stringify(fields) : '';
    const when = at.toISOString().slice(0, 23).replace('T', ' ');
    return `${when} [${service}] ${level}: ${words(msg, err && !msg.includes(err.message) ? err.message : '', shown)}`;
  },

  /** A tag, and a record that does not begin the line. */
  tagged: ({ level, msg, fields, err, at }, { service }) =>
    `[${service}] ${JSON.stringify({ t: at.getTime(), level, event: msg, ...fields, ...(err ? { error: err.message } : {}) })}`,

  /** pino-pretty: a time without a date. */
  pretty: ({ level, msg, fields, err, at }, { service, pid }) => {
    const below = Object.entries(fields).map(([name, value]) => `\n    ${name}: ${JSON.stringify(value)}`);
    const stack = err?.stack
      .split('\n')
      .map((line) => `\n          ${line}`)
      .join('');
    const error = err
      ? `\n    err: {\n      "type": ${JSON.stringify(err.name)},\n      "message": ${JSON.stringify(err.message)},\n      "stack":${stack}\n    }`
      : '';
    return `[${time(at)}] ${level.toUpperCase()} (${service}/${pid}): ${msg}${below.join('')}${error}`;
  },
};

/** RFC 3339 with nine digits, from ms with a fraction. */
const nanoseconds = (at) =>
  `${new Date(at).toISOString().slice(0, -1)}${String(Math.floor((at % 1) * 1e6)).padStart(6, '0')}Z`;

/**
 * What a container runtime makes of the lines that a process writes: its own time for each line, and the stream. The
 * process inside keeps its own format.
 */
export const WRAPPERS = {
  'cri-pino': { inside: 'pino', wrap: (line, stream, at) => `${nanoseconds(at)} ${stream} F ${line}` },
  'docker-nest': {
    inside: 'nest',
    wrap: (line, stream, at) => JSON.stringify({ log: `${line}\n`, stream, time: nanoseconds(at) }),
  },
  'kubectl-bare': { inside: 'bare', wrap: (line, _, at) => `${nanoseconds(at)} ${line}` },
  'compose-bare': { inside: 'bare', wrap: (line, _, at, { host }) => `${host}  | ${nanoseconds(at)} ${line}` },
};

/** Every choice of `--log`. */
export const LOG_CHOICES = [...Object.keys(LOG_FORMATS), ...Object.keys(WRAPPERS)];
