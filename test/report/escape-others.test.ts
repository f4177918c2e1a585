import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv, csvCell } from '../../src/report/outputs/escape-csv.js';
import { wrap } from '../../src/report/outputs/terminal-text.js';
import { fitWidth, textWidth } from '../../src/report/outputs/text-width.js';
import { cutMiddle, tame, visible } from '../../src/report/outputs/visible.js';

describe('csvCell', () => {
  it.each([
    ['plain', 'plain'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\t=1', "'⟨U+0009⟩=1"],
    ['\r=1', "'␤=1"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['=A,"1"', '"\'=A,""1"""'],
    ['a\nb', 'a␤b'],
    [-5, '-5'],
    [true, 'true'],
    [undefined, ''],
  ])('%j', (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });
});

it('ends every CSV record with CRLF', () => {
  expect(csv(['a', 'b'], [[1, 'x']])).toBe('a,b\r\n1,x\r\n');
});

it('leaves nothing that acts or hides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      expect(visible(value)).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u);
    }),
  );
});

it('taming twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (value) => {
      expect(tame(tame(value)).length).toBeLessThanOrEqual(Math.max(tame(value).length, 1300));
    }),
  );
});

it('cuts in the middle without splitting a character', () => {
  const cut = cutMiddle('😀'.repeat(500), 101);
  expect(cut).toMatch(/^(😀)+…\[1000 characters, sha256 [0-9a-f]{8}…\]…(😀)+$/u);
  expect(cut.length).toBeLessThanOrEqual(101);
});

it('knows the width of wide letters and combining marks', () => {
  expect(textWidth('abc')).toBe(3);
  expect(textWidth('日本')).toBe(4);
  expect(textWidth('e\u0301')).toBe(1);
  expect(fitWidth('日本語のワーカー', 9, '~')).toBe('日本~カー');
  expect(fitWidth('short', 9, '~')).toBe('short');
});

it('wraps at spaces', () => {
  expect(wrap('one two three', 8, '', '  ')).toEqual(['one two', '  three']);
});
