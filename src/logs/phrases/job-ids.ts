/**
 * Job ids out of prose. Strict on purpose: a number alone is a port, a count or a status code far more often than a job,
 * and an id that was never a job's would invent a story.
 */

export interface JobMention {
  /** One id, or several where the text lists them. */
  readonly ids: readonly string[];
  readonly queue?: string;
  readonly prefix?: string;
  readonly jobName?: string;
  readonly attempt?: number;
  /** The mention is certain only if the words around it speak of a job's life. */
  readonly weak?: true;
  /** The number may be anything's: only other evidence of jobs with such ids can tell. */
  readonly guess?: true;
}

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
/** An unquoted id: it has a digit, and does not end in punctuation. */
const BARE = `(?:${UUID}|(?=[\\w.:@/+-]{0,100}\\d)[\\w@+-](?:[\\w.:@/+-]{0,198}[\\w@+-])?)`;
const QUOTED = `"([^"\\n]{1,200})"|'([^'\\n]{1,200})'|\`([^\`\\n]{1,200})\``;
/** What follows a number that counts or measures instead of naming: `job 2 of 5`, `3 times`, `5 attempts`. */
const NO_COUNT =
  '(?!\\s?(?:%|ms\\b|s\\b|sec|min|of \\d|/\\s?\\d|times?\\b|attempts?\\b|retries\\b|jobs?\\b|workers?\\b))';

/** A name in brackets before everything else: `[worker]`. */
const LABEL = '(?:\\[[^\\]\\n]{1,60}\\][:\\s]{0,3})?';
/** A tick, a cross, an arrow, an emoji. */
const SIGN = '(?:[\\p{So}→←…]\\ufe0f?){1,2}\\s{1,2}';

interface Pattern {
  /** Lower case; a text without it is not tried. */
  readonly mark: string;
  readonly pattern: RegExp;
  read(match: RegExpExecArray): JobMention | undefined;
}

function first(...candidates: (string | undefined)[]): string | undefined {
  return candidates.find((candidate) => candidate !== undefined && candidate !== '');
}

function one(id: string | undefined, rest: Omit<JobMention, 'ids'> = {}): JobMention | undefined {
  return id === undefined || /^(?:undefined|null|NaN)$/.test(id) ? undefined : { ids: [id], ...rest };
}

const PATTERNS: readonly Pattern[] = [
  // Job mail[12-1], mail[12]: name, id, and the attempt where both are numbers
  {
    mark: '[',
    pattern: new RegExp(
      `(?:^|[\\s(])(?:job\\s+)?([A-Za-z][\\w.:-]{0,80})\\[(?:(\\d{1,19})-(\\d{1,3})|(${UUID})(?:-(\\d{1,3}))?|(\\d{1,19}))\\](?=[\\s.,;:)]|$)`,
      'i',
    ),
    read(m) {
      const name = m[1] ?? '';
      // `node[4242]` is a process of syslog, `status[…]` a state of ioredis.
      if (
        /^(?:node|npm|worker|app|pid|status|step|attempt|line|array|job|index|process|systemd)$/i.test(name) &&
        !/^\s*job\s+\S/i.test(m[0])
      ) {
        return /^job$/i.test(name) ? one(first(m[2], m[4], m[6])) : undefined;
      }
      const attempt = first(m[3], m[5]);
      return one(first(m[2], m[4], m[6]), {
        jobName: name,
        ...(attempt !== undefined && { attempt: Number(attempt) }),
        ...(!/^\s*\(?job\s/i.test(m[0]) && { weak: true as const }),
      });
    },
  },
  // jobs 12, 13 and 14 · jobs: [12, 13] · jobIds=12,13
  {
    mark: 'job',
    pattern:
      /\bjob(?:s|[ _]?ids)\b\s?[:=#]?\s?[[(]?\s?((?:["']?[\w:.-]{1,100}["']?)(?:(?:\s?,\s?(?:and )?|\s+and\s+)["']?[\w:.-]{1,100}["']?){0,200})[\])]?/i,
    read(m) {
      const ids = (m[1] ?? '').split(/\s?,\s?(?:and )?|\s+and\s+/).map((id) => id.replace(/["']/g, ''));
      if (ids.length === 0 || ids.some((id) => !/\d/.test(id))) return undefined;
      const after = m.input.slice(m.index + m[0].length, m.index + m[0].length + 12);
      return ids.length === 1 && new RegExp(`^${NO_COUNT.replace('(?!', '(?:')}`).test(after) ? undefined : { ids };
    },
  },
  // bull:mail:12, the key of a job
  {
    mark: ':',
    pattern:
      /(?:^|[\s("'`[=])(bull|bullmq|\{[\w-]{1,60}\}):([\w-]{1,120}):(\d{1,19}|[0-9a-f]{8}-[0-9a-f-]{27})(?::lock)?(?=[\s.,;)"'`\]]|$)/,
    read: (m) =>
      one(m[3], {
        ...(m[2] !== undefined && { queue: m[2] }),
        ...(m[1] !== 'bull' && m[1] !== undefined && { prefix: m[1] }),
      }),
  },
  // job with id 12 · job id: 12 · jobId 12 · job (id: 12) · job ID=abc-1 · bullJobId=7
  {
    mark: 'id',
    pattern: new RegExp(
      `\\bjob(?:[ _-]?(?:with|of|having))?\\s?[([]?(?:the )?[ _-]?(?:id|uuid|identifier|key)\\s?(?:is|was)?\\s?[:=#]{0,2}\\s?(?:${QUOTED}|(${BARE}))`,
      'i',
    ),
    read: (m) => one(first(m[1], m[2], m[3], m[4])),
  },
  // job "mail" (12) · job send-mail (id: 12) · job mail with id 12 · job <mail> #12 · job mail/12
  {
    mark: 'job',
    pattern: new RegExp(
      `\\bjob:?\\s+(?:["'\`<«]([^"'\`>»\\n]{1,80})["'\`>»]|(?!(?:with|id|is|was|has|by|for|from|to|at|in|on|of|and|failed|completed|started)\\b)([A-Za-z][\\w.:-]{0,80}))\\s?(?:[([{]\\s?(?:id|jobid|job id)?\\s?[:=#]{0,2}\\s?(?:${QUOTED}|(${BARE}))\\s?[)\\]}]|(?:with )?\\(?id\\s?[:=#]?\\s?(?:${QUOTED}|(${BARE}))|[#/](${BARE}))`,
      'i',
    ),
    read(m) {
      const name = first(m[1], m[2]);
      return one(
        first(m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]),
        name === undefined ? {} : { jobName: name },
      );
    },
  },
  // job 12 · Job #12 · job=12 · job: 12 · [job 12] · job "abc-1" · job-12 · job_12 · job/12 · job no. 12
  {
    mark: 'job',
    pattern: new RegExp(
      `(?<![\\w/-])job\\s?(?:no\\.?|nr\\.?|number)?\\s?(?:[:=#/_-]|=>|->){0,2}\\s?#?(?:\\[\\s?(${BARE})\\s?\\]|\\(\\s?#?(${BARE})\\s?\\)|<(${BARE})>|${QUOTED}|(${BARE})${NO_COUNT})`,
      'i',
    ),
    read(m) {
      const id = first(m[1], m[2], m[3], m[7]);
      if (id !== undefined) return splitQueue(id);
      const quoted = first(m[4], m[5], m[6]);
      // In quotes after `job` stands an id or a name; a name alone names no job.
      return quoted !== undefined && /\d/.test(quoted) && !/\s/.test(quoted) ? one(quoted) : undefined;
    },
  },
  // Task 12 · work item #12: what some teams call a job
  {
    mark: '',
    pattern: new RegExp(
      `\\b(?:task|work ?item)\\s?(?:id)?\\s?[:=#]{0,2}\\s?#?(${UUID}|\\d{1,19})(?=[\\s).,!:;\\]]|$)${NO_COUNT}`,
      'i',
    ),
    read: (m) => one(m[1], { weak: true }),
  },
  // Job completed 12 · SMS job failed: 12 · job started #12
  {
    mark: 'job',
    pattern: new RegExp(
      `\\bjob (?:completed|failed|stalled|started|done|finished|processed|active|processing|progress|picked up|received|is done|has completed)(?: event)?\\s?[:=#(-]{0,2}\\s?#?(${UUID}|\\d{1,19})(?=[\\s).,!:;]|$)${NO_COUNT}`,
      'i',
    ),
    read: (m) => one(m[1]),
  },
  // 12 has completed! · 12 failed with boom · #12 done · 12: done
  {
    mark: '',
    pattern: new RegExp(
      `^\\s?#?(${UUID}|\\d{1,19})(?:\\s(?:has|is|was|just|now)\\b|:?\\s(?=(?:completed|failed|stalled|started|done|active|finished|processing|progress)\\b))`,
      'i',
    ),
    read: (m) => one(m[1], { weak: true }),
  },
  // stalled 12 · completed: 12 · processing #12 · finished 8a1c…: a verb of the job's life and nothing but the id
  {
    mark: '',
    pattern: new RegExp(
      `^${LABEL}\\W{0,3}(?:job )?(?:stalled|completed|failed|active|started|processing|processed|finished|done|starting|handling|running|progress)(?: event)?\\s?[:=#(-]?\\s?#?(${UUID}|\\d{1,19})(?=[\\s).,!:;]|$)${NO_COUNT}`,
      'i',
    ),
    read: (m) => one(m[1], { weak: true }),
  },
  // ✔ 12 in 31ms · … 12 50% · ⚠ 12 stalled: a sign, the id and what became of the job
  {
    mark: '',
    pattern: new RegExp(
      `^${LABEL}${SIGN}#?(${UUID}|\\d{1,19})(?=:?\\s(?:in \\d|\\d{1,3} ?%|(?:completed|failed|stalled|started|done|active|finished|processing|progress)\\b))`,
      'u',
    ),
    read: (m) => one(m[1], { weak: true }),
  },
  // (id: 12) · [id=12] · id: abc-12
  {
    mark: 'id',
    pattern: new RegExp(`(?:^|[\\s([{,])(?:id)\\s?[:=#]\\s?(?:${QUOTED}|(${BARE}))`, 'i'),
    read: (m) => one(first(m[1], m[2], m[3], m[4]), { weak: true }),
  },
  // mail:12 started · [mail:12] · mail#12 · mail/12 at the start or in brackets
  {
    mark: '',
    pattern: new RegExp(`(?:^|[[(])([A-Za-z][\\w-]{1,80})(?::|#|/)(${UUID}|\\d{1,19})(?=[\\])\\s,;]|: |$)`),
    read(m) {
      const queue = m[1] ?? '';
      return NOT_A_QUEUE.test(queue) ? undefined : one(m[2], { queue, weak: true });
    },
  },
  // ✖ 12 boom · ↺ 12 later: the number after a sign may be a job's, or count something
  {
    mark: '',
    pattern: new RegExp(`^${LABEL}${SIGN}#?(${UUID}|\\d{1,19})(?=:?\\s|$)`, 'u'),
    read: (m) => one(m[1], { guess: true }),
  },
  // a uuid in brackets, quotes or at the start, where the text speaks of a job
  {
    mark: '-',
    pattern: new RegExp(`(?<![\\w:/-])(${UUID})(?![\\w:-])`),
    read: (m) => (/\bjob|\bqueue/i.test(m.input) ? one(m[1], { weak: true }) : undefined),
  },
  // Processing send-mail 12 · Starting mail 12: what was logged may be the job's name and its id, or an order and its number
  {
    mark: '',
    pattern: new RegExp(
      `^${LABEL}\\W{0,3}(?:start(?:ed|ing)?|began|begin(?:ning)?|process(?:ing|ed)?|handl(?:ing|ed)|run(?:ning)?|execut(?:ing|ed)|work(?:ing|ed) on|picked up|received|got|finish(?:ed|ing)|complet(?:ed|ing)|done(?: with)?)\\s[A-Za-z][\\w:.-]{0,60}[\\s:]{1,2}#?(${UUID}|\\d{1,19})\\W*$`,
      'i',
    ),
    read: (m) => one(m[1], { guess: true }),
  },
];

/** Words in front of a colon and a number that are hosts, positions and counters. */
const NOT_A_QUEUE =
  /^(?:https?|wss?|rediss?|localhost|host|port|pid|node|worker|workers|app|step|line|col|column|code|status|level|attempt|attempts|error|exit|version|v\d|page|batch|chunk|retry|retries|count|total|thread|shard|db|index|progress|took|elapsed|time|at|id|user|userid|order|tenant|account|file|row|rows|size|memory|heap|http|tcp|process|info|warn|debug|concurrency|limit|offset|max|min|event|signal|wrk|w)$/i;

/** `mail:12` as an id written after `job`: the queue and the id, unless the number is only one part of the id. */
function splitQueue(id: string): JobMention {
  const match = /^([A-Za-z][\w-]{1,80}):(\d{1,19})$/.exec(id);
  if (match?.[1] !== undefined && match[2] !== undefined && !/^(?:repeat|id|job)$/i.test(match[1])) {
    return { ids: [match[2]], queue: match[1] };
  }
  return { ids: [id.replace(/^id[:=]/i, '')] };
}

/** Index of the first pattern that finds a job in the text, -1 for none. `lower` is the text in lower case. */
export function jobPatternOf(text: string, lower: string): number {
  if (!/[\d"'`]/.test(text)) return -1;
  return PATTERNS.findIndex((_, index) => tryPattern(index, text, lower) !== undefined);
}

/** The job or jobs that a text names; `hint` is the pattern that its shape fits. */
export function findJobs(text: string, lower: string, hint: number): JobMention | undefined {
  const hinted = tryPattern(hint, text, lower);
  if (hinted) return hinted;
  for (let index = 0; index < PATTERNS.length; index++) {
    const mention = tryPattern(index, text, lower);
    if (mention) return mention;
  }
  return undefined;
}

function tryPattern(index: number, text: string, lower: string): JobMention | undefined {
  const row = PATTERNS[index];
  if (row === undefined || (row.mark !== '' && !lower.includes(row.mark))) return undefined;
  const match = row.pattern.exec(text);
  return match ? row.read(match) : undefined;
}
