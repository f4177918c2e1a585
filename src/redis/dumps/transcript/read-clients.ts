/** CLIENT LIST: which workers were connected. BullMQ names its blocking connections, all others are nameless. */
import type { Desk } from './interpret.js';
import type { Question } from './question.js';

/** `<prefix>:<base64 of the queue>`, then `:w:<worker>` or `:qe` (BullMQ 1 to 6; Bull without what follows). */
const NAME = /^(\S+?):([A-Za-z0-9+/]{2,400}={0,2})(?::w:(.*)|(:qe))?$/;
const MAX_CONNECTIONS = 10_000;
const MAX_NAME = 100;

export function readClients(question: Question, text: string, desk: Desk): void {
  let told = 0;
  let workers = 0;
  for (const line of text.split('\n')) {
    const fields = new Map(
      [...line.matchAll(/(?:^|\s)([a-z-]{1,20})=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const [, prefix, encoded, worker, listens] = NAME.exec(fields.get('name') ?? '') ?? [];
    const queue = encoded === undefined ? undefined : queueOf(encoded);
    if (prefix === undefined || queue === undefined || told++ >= MAX_CONNECTIONS) continue;
    const [ageSeconds, idleSeconds] = ['age', 'idle'].map((name) => Number(fields.get(name) ?? Number.NaN));
    const command = fields.get('cmd');
    if (listens === undefined) workers++;
    desk.connection(question, `${prefix}:${queue}`, Number(fields.get('db')) || 0, {
      role: listens === undefined ? 'worker' : 'events',
      ...(worker ? { name: worker.slice(0, MAX_NAME) } : {}),
      address: (fields.get('addr') ?? '').slice(0, MAX_NAME),
      ...(Number.isFinite(ageSeconds) ? { ageSeconds } : {}),
      ...(Number.isFinite(idleSeconds) ? { idleSeconds } : {}),
      ...(command === undefined ? {} : { command: command.slice(0, MAX_NAME) }),
    });
  }
  desk.server({ field: 'connections of workers', value: String(workers), offset: question.offset });
}

/** The queue's name, if the text is one in base64. */
function queueOf(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  const name = bytes.toString('utf8');
  return bytes.toString('base64') === encoded && /^[^\x00-\x1f:\ufffd]+$/.test(name) ? name : undefined;
}
