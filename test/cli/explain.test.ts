import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/cli/exit-codes.js';
import { runExplain } from '../../src/cli/explain-command.js';
import { BOUNDARIES, BOUNDARY_NAMES, CAUSE_NAMES, CAUSES } from '../../src/model/boundaries.js';
import { SUMMARY_COLUMNS } from '../../src/model/summary.js';
import { RULES } from '../../src/rules/index.js';

afterEach(() => vi.restoreAllMocks());

function explained(name: string): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(runExplain(name)).toBe(0);
  const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
  write.mockRestore();
  return text;
}

describe('explain', () => {
  it('lists every boundary, cause and rule', () => {
    const text = explained('');
    for (const id of [...BOUNDARY_NAMES, ...CAUSE_NAMES, ...RULES.map(({ name }) => name)])
      expect(text).toMatch(new RegExp(`^ {2}${id} `, 'm'));
  });

  it('tells a boundary with its causes, and the rule of the same name', () => {
    const text = explained('lock-renewal');
    expect(text).toContain(BOUNDARIES['lock-renewal'].tellTale);
    expect(text).toContain('redis-unreachable');
    expect(text).toContain('Rivals: event-loop-blocked');
    expect(text).toContain('False positives: ');
  });

  it.each(CAUSE_NAMES)('tells how to reproduce %s', (cause) => {
    const text = explained(cause);
    const { setUp, act, see } = CAUSES[cause].reproduce;
    for (const part of [setUp, act, see]) {
      expect(part.length).toBeGreaterThan(10);
      expect(text).toContain(part);
    }
  });

  it.each(RULES)('tells of rule $name what it needs, what wakes it and what it may name', ({ name, causes, wakes }) => {
    const text = explained(name);
    expect(text).toContain(`Names: ${causes.join(', ')}`);
    for (const column of wakes.match(/[a-z_]+(?= [<>=])/g) ?? []) {
      expect(SUMMARY_COLUMNS).toHaveProperty(column);
      expect(text).toContain(column);
    }
  });

  it.each(['Event loop blocked', 'EVENT-LOOP-BLOCKED', 'event loop blocked', ' event_loop_blocked '])(
    'understands %j',
    (name) => expect(explained(name)).toBe(explained('event-loop-blocked')),
  );

  it.each([
    ['lock-renwal', 'lock-renewal'],
    ['killed', 'process-killed'],
    ['proces killed', 'process-killed'],
    ['luck', 'bullmortem explain for the list'],
    ['\u001b[31mred', 'bullmortem explain for the list'],
  ])('an unknown %j is wrong use, in one line with what is near', (name, near) => {
    const failure = (): number => runExplain(name);
    expect(failure).toThrow(UsageError);
    expect(failure).toThrow(near);
    expect(failure).not.toThrow(/[\n\u001b]/);
  });
});

describe('what rules say of themselves', () => {
  it.each(RULES)('$name owns to every rival that its file names', ({ name, rivals }) => {
    const text = readFileSync(new URL(`../../src/rules/${name}.ts`, import.meta.url), 'utf8');
    const told = [...text.matchAll(/rival\(\s*'([\w-]+)'/g)].map(([, cause]) => cause);
    for (const cause of told) expect(rivals).toContain(cause);
  });

  it('every boundary and cause has a home', () => {
    for (const cause of CAUSE_NAMES)
      expect(BOUNDARY_NAMES).toEqual(expect.arrayContaining([...CAUSES[cause].boundaries]));
    for (const { causes, rivals } of RULES)
      for (const cause of [...causes, ...rivals]) expect(CAUSE_NAMES).toContain(cause);
  });
});
