import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fenced, inlineCode, md } from '../../src/report/outputs/escape-markdown.js';
import { PAYLOADS } from './fixtures/hostile.js';
import { markdownSkeleton, strayMarkup } from './skeleton.js';

describe('md', () => {
  it.each([
    ['plain words stay as they are', 'plain words stay as they are'],
    ['worker-a-16271', 'worker-a-16271'],
    ['snake_case_id', 'snake_case_id'],
    ['_it_', '\\_it\\_'],
    ['a | b', 'a \\| b'],
    ['\\|', '\\\\\\|'],
    ['**bold** `code`', '\\*\\*bold\\*\\* \\`code\\`'],
    ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
    ['[x](y) ![i](j)', '\\[x\\](y) \\!\\[i\\](j)'],
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['+1 ms', '+1 ms'],
    ['1. one', '1\\. one'],
    ['12) one', '12\\) one'],
    ['1.5 s', '1.5 s'],
    ['---', '\\---'],
    ['===', '\\==='],
    ['> quote', '&gt; quote'],
    ['two\nlines\r\nand more', 'two␤lines␤and more'],
    ['   much    space  ', 'much space'],
    ['see http://x.example/a_b now', 'see `http://x.example/a_b` now'],
    ['www.x.example', '`www.x.example`'],
    ['me@x.example', '`me@x.example`'],
    ['by @admin', 'by `@admin`'],
    ['fixes #12', 'fixes `#12`'],
    [':tada:', '`:tada:`'],
    ['at 14:10:41.610', 'at 14:10:41.610'],
    ['bull:reports:5', '`bull:reports:5`'],
    ['costs $5', 'costs `$5`'],
    ['javascript:alert(1)', '`javascript:alert(1)`'],
    ['\u202ebidi', '⟨U+202E⟩bidi'],
    ['\u001b[31m', '⟨U+001B⟩\\[31m'],
    ['', ''],
  ])('%j', (value, expected) => {
    expect(md(value)).toBe(expected);
  });
});

describe('inlineCode', () => {
  it.each([
    ['reports:5', '`reports:5`'],
    ['a`b', '``a`b``'],
    ['`a', '`` `a ``'],
    ['```', '```` ``` ````'],
    [' a ', '`  a  `'],
    ['   ', '`   `'],
    ['a|b', '`a`\\|`b`'],
    ['|a||', '\\|`a`\\|\\|'],
    ['a\\', '`a\\`'],
    ['a\nb', '`a␤b`'],
    ['', ''],
  ])('%j', (value, expected) => {
    expect(inlineCode(value)).toBe(expected);
  });
});

it('a fence is longer than any run of backticks in it', () => {
  expect(fenced(['a', '````', 'b'])).toBe('`````\na\n````\nb\n`````');
});

const word = fc.oneof(
  fc.constantFrom(...PAYLOADS.filter((payload) => payload.length < 400)),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'\\`*_[]()<>#+-=|~!@:.$&1a \n'), maxLength: 20 }),
);

it('any value is inert wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (words) => {
      const value = words.join(' ');
      const lines = [
        md(value),
        `- ${md(value)}`,
        `| ${md(value)} | ${inlineCode(value)} |`,
        `x ${inlineCode(value)} y`,
      ];
      for (const line of lines) expect(line).not.toContain('\n');
      expect(strayMarkup(lines.join('\n\n'))).toEqual([]);
      expect(markdownSkeleton(lines[2] ?? '')).toEqual(markdownSkeleton('| a | b |'));
    }),
    { numRuns: 2000 },
  );
});
