/** Reads and checks a configuration: every fault with its path in the file and the reason. */
import { RE2JS, RE2JSException } from 're2js';
import type { z } from 'zod';
import { type Config, configSchema, GROUPS, type TeamEvent } from '../../model/config.js';

export interface ConfigProblem {
  /** `events[3].pattern`; empty for the file as a whole. */
  readonly path: string;
  readonly reason: string;
}

/** Instructions of a pattern; one of prose has some hundred. The time for a line is bounded by them and the line's length. */
const MAX_PROGRAM = 2000;

/** The configuration in a text, or what is wrong with it. Never throws. */
export function readConfig(
  text: string,
): { readonly config: Config } | { readonly problems: readonly ConfigProblem[] } {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return {
      problems: [{ path: '', reason: `is no JSON: ${error instanceof Error ? error.message : String(error)}` }],
    };
  }
  const parsed = configSchema.safeParse(value);
  if (!parsed.success) return { problems: parsed.error.issues.map(problemOf) };
  const problems = (parsed.data.events ?? []).flatMap((event, n) => checkEvent(event, `events[${n}]`));
  return problems.length > 0 ? { problems } : { config: parsed.data };
}

function problemOf(issue: z.core.$ZodIssue): ConfigProblem {
  const path = issue.path.reduce<string>(
    (whole, part) =>
      typeof part === 'number' ? `${whole}[${part}]` : `${whole}${whole === '' ? '' : '.'}${String(part)}`,
    '',
  );
  if (issue.code !== 'unrecognized_keys') return { path, reason: issue.message };
  return { path, reason: `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.join(', ')}` };
}

function checkEvent({ pattern, field, is }: TeamEvent, path: string): ConfigProblem[] {
  if (pattern === undefined && is === undefined)
    return [{ path, reason: 'needs a pattern, or a field and what it is' }];
  if (pattern !== undefined && is !== undefined) return [{ path, reason: 'has both pattern and is; keep one' }];
  if (is !== undefined && field === undefined)
    return [{ path: `${path}.is`, reason: 'needs the field it is the value of' }];
  if (pattern === undefined) return [];
  try {
    const compiled = compilePattern(pattern);
    if (compiled.programSize() > MAX_PROGRAM)
      return [{ path: `${path}.pattern`, reason: 'is too large; use smaller repeat counts' }];
    const unknown = Object.keys(compiled.namedGroups()).filter((name) => !GROUPS.some((one) => one === name));
    if (unknown.length === 0) return [];
    return [
      { path: `${path}.pattern`, reason: `unknown group ${unknown.join(', ')}; the names are ${GROUPS.join(', ')}` },
    ];
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = `${error.message}; patterns are RE2: no look-around, no back-references`;
    return [{ path: `${path}.pattern`, reason }];
  }
}

/**
 * RE2 matches in time linear in the text, whatever the pattern: no line of a hostile log can make it slow, as lines can with
 * the patterns of JavaScript.
 * @throws RE2JSException for what is no pattern of RE2
 */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(pattern);
