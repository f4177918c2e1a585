/**
 * `bullmortem explain [boundary|cause|rule]`: the table of boundaries and causes and the rules' own words about themselves. A name
 * may be that of several (lock-renewal is a boundary and a rule): all of them are told.
 */
import { BOUNDARIES, BOUNDARY_NAMES, type Boundary, CAUSE_NAMES, CAUSES, type Cause } from '../model/boundaries.js';
import { CLASS_WORDS } from '../model/evidence-classes.js';
import type { Rule } from '../rules/define-rule.js';
import { RULES } from '../rules/index.js';
import { EXIT, UsageError } from './exit-codes.js';

interface Topic {
  readonly id: string;
  readonly title: string;
  readonly lines: () => string[];
}

const TOPICS: readonly Topic[] = [
  ...BOUNDARY_NAMES.map((id) => ({ id, title: BOUNDARIES[id].title, lines: () => boundaryText(id) })),
  ...CAUSE_NAMES.map((id) => ({ id, title: CAUSES[id].title, lines: () => causeText(id) })),
  ...RULES.map((rule) => ({ id: rule.name, title: rule.name, lines: () => ruleText(rule) })),
];

/** `name` as somebody types it: an id or a title, in any case, with spaces or hyphens; empty for the list. */
export function runExplain(name: string): number {
  const wanted = slugOf(name);
  if (wanted === '') {
    print(everything());
    return EXIT.done;
  }
  const topics = TOPICS.filter(({ id, title }) => id === wanted || slugOf(title) === wanted);
  if (topics.length === 0) throw new UsageError(unknownName(name, wanted));
  print(topics.flatMap(({ lines }, n) => [...(n > 0 ? [''] : []), ...lines()]));
  return EXIT.done;
}

const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`);
};

const row = (id: string, text: string): string => `  ${id.padEnd(30)} ${text}`;

function everything(): string[] {
  return [
    'Boundaries: where a job can break.',
    ...BOUNDARY_NAMES.map((id) => row(id, BOUNDARIES[id].means)),
    '',
    'Causes: why it broke there.',
    ...CAUSE_NAMES.map((id) => row(id, `${CAUSES[id].means} (${CAUSES[id].boundaries.join(', ')})`)),
    '',
    'Rules: what is looked for, the more specific first.',
    ...RULES.map(({ name, causes }) => row(name, `names ${causes.join(', ')}`)),
    '',
    'bullmortem explain NAME tells more.',
  ];
}

function boundaryText(id: Boundary): string[] {
  const { title, means, tellTale } = BOUNDARIES[id];
  const causes = CAUSE_NAMES.filter((cause) => (CAUSES[cause].boundaries as readonly Boundary[]).includes(id));
  return [
    `${title} (${id}), a boundary`,
    '',
    means,
    `Tell-tale: ${tellTale}`,
    '',
    'Causes:',
    ...causes.map((cause) => row(cause, CAUSES[cause].means)),
  ];
}

function causeText(id: Cause): string[] {
  const { title, boundaries, means, mustBeSeen, ruledOutBy, reproduce } = CAUSES[id];
  const rivalOf = listOf(namesOf(({ rivals }) => rivals.includes(id)));
  return [
    `${title} (${id}), a cause`,
    '',
    means,
    `Boundaries: ${boundaries.join(', ')}`,
    ...(mustBeSeen ? [`Must be seen: ${mustBeSeen}`] : []),
    ...(ruledOutBy ? [`Ruled out by: ${ruledOutBy}`] : []),
    `Named by: ${listOf(namesOf(({ causes }) => causes.includes(id))) || 'no rule'}`,
    ...(rivalOf === '' ? [] : [`Told as a rival by: ${rivalOf}`]),
    '',
    'To reproduce it on one queue with one known job:',
    `  1. ${reproduce.setUp}`,
    `  2. ${reproduce.act}`,
    `  3. To be seen: ${reproduce.see}`,
  ];
}

const namesOf = (is: (rule: Rule) => boolean): string[] => RULES.filter(is).map(({ name }) => name);

function ruleText({ name, needs, wakes, causes, rivals, falsePositives }: Rule): string[] {
  return [
    `${name}, a rule`,
    '',
    `Names: ${listOf(causes)}`,
    `Needs any of: ${needs.map((one) => CLASS_WORDS[one]).join('; ')}`,
    `Looks at jobs with: ${wakes.replace(/\s+/g, ' ').trim()}`,
    `Rivals: ${listOf(rivals)}`,
    `False positives: ${falsePositives}`,
  ];
}

const listOf = (names: readonly string[]): string => names.join(', ');

const MOST_NAMED = 5;
/** Typing errors that a name may have. */
const MAX_TYPOS = 2;

/** One line, with the names that may have been meant. */
function unknownName(name: string, wanted: string): string {
  const words = wanted.split('-').filter((word) => word.length > 2);
  const near = TOPICS.map(({ id }) => ({ id, typos: typosBetween(id, wanted), shared: sharedWords(id, words) }))
    .filter(({ typos, shared }) => typos <= MAX_TYPOS || shared > 0)
    .sort((a, b) => b.shared - a.shared || a.typos - b.typos || (a.id < b.id ? -1 : 1));
  const meant = [...new Set(near.map(({ id }) => id))].slice(0, MOST_NAMED);
  const hint = meant.length > 0 ? `near it: ${listOf(meant)}` : 'run bullmortem explain for the list';
  return `no boundary, cause or rule is named ${JSON.stringify(name.slice(0, 80))}; ${hint}`;
}

const sharedWords = (id: string, words: readonly string[]): number =>
  id.split('-').filter((part) => words.some((word) => part.startsWith(word) || word.startsWith(part))).length;

/** Letters to add, leave out or change (Levenshtein); names are short. */
function typosBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_TYPOS) return MAX_TYPOS + 1;
  let before = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      now.push(Math.min(changed, (before[j] ?? 0) + 1, (now[j - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}
