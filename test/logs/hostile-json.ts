/**
 * JSON that is wrong, or right and unusual, as lines of a log: the ideas of nst/JSONTestSuite (what parsers accept, refuse, and differ
 * in), written as a generator. A line holds no line break, as a logger writes none.
 */
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Values that stand where a value may stand: `i` for what the standard leaves open, `n` for what is no JSON. */
const VALUES: Readonly<Record<string, string>> = {
  'i: huge exponent': '123.456e78901234567890',
  'i: huge negative exponent': '-1.5e-9999999999',
  'i: integer beyond any type': '9'.repeat(5000),
  'i: lone high surrogate': '"\\ud800"',
  'i: lone low surrogate': '"\\udfff"',
  'i: surrogates the wrong way round': '"\\udd1e\\ud834"',
  'i: high surrogate and a letter': '"\\uD83Dx"',
  'y: escaped NUL': '"a\\u0000b"',
  'y: minus zero': '-0',
  'y: noncharacter': '"\\uFFFF\\uD83F\\uDFFE"',
  'y: every escape': '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  'y: escapes of a terminal': '"\\u001b[31m\\u202e\\u2028"',
  'n: NaN': 'NaN',
  'n: Infinity': '-Infinity',
  'n: hexadecimal': '0x1F',
  'n: leading zero': '012',
  'n: leading plus': '+1',
  'n: dot at the end': '1.',
  'n: dot in front': '.5',
  'n: exponent without digits': '1e+',
  'n: two signs': '--1',
  'n: bare word': 'undefined',
  'n: cut word': 'tru',
  'n: single quotes': "'x'",
  'n: unknown escape': '"\\x41"',
  'n: cut unicode escape': '"\\u00"',
  'n: raw tab in a string': '"a\tb"',
  'n: raw NUL in a string': '"a\u0000b"',
  'n: unquoted NUL': '\u0000',
  'n: full-width digit': '１',
  'n: no-break space': '\u00a01',
  'n: form feed': '\f1',
  'n: comment': '1 /* c */',
  'n: two values': '1 2',
  'n: comma alone': ',',
  'n: colon in a list': '["a": 1]',
  'n: comma at the end of a list': '[1,]',
  'n: two commas': '[1,,2]',
  'n: list of the wrong end': '["x"}',
  'n: object of the wrong end': '{"x":1]',
  'n: key without quotes': '{a:1}',
  'n: key that is a number': '{1:1}',
  'n: key without value': '{"a"}',
  'n: two colons': '{"a"::1}',
  'n: comma at the end of an object': '{"a":1,}',
  'n: garbage behind': '{"a":1}#',
};

const DEPTH = 20_000;

/** Whole lines. */
const LINES: Readonly<Record<string, Buffer>> = {
  'deep lists': bytes('['.repeat(DEPTH), ']'.repeat(DEPTH)),
  'deep lists that never end': bytes('['.repeat(DEPTH)),
  'deep objects': bytes('{"a":'.repeat(DEPTH), '1', '}'.repeat(DEPTH)),
  'deep objects that never end': bytes('{"a":'.repeat(DEPTH)),
  'deep, both in turn': bytes('[{"":'.repeat(DEPTH / 2)),
  'deep within a record': bytes('{"level":30,"msg":"x","data":', '['.repeat(DEPTH), ']'.repeat(DEPTH), '}'),
  'ends at once': bytes('['),
  'ends at once, object': bytes('{'),
  'end without a beginning': bytes('}'),
  'ends in a key': bytes('{"level":30,"ms'),
  'ends in a string': bytes('{"level":30,"msg":"job 1 st'),
  'ends in an escape': bytes('{"level":30,"msg":"\\'),
  'ends behind a colon': bytes('{"level":30,"msg":'),
  'ends behind a comma': bytes('{"level":30,'),
  'repeated keys': bytes('{"jobId":"x1","jobId":"x2","msg":"a","msg":"b","level":1,"level":2,"time":1,"time":2}'),
  'a key ten thousand times': bytes('{', Array.from({ length: 10_000 }, () => '"k":1').join(','), '}'),
  'ten thousand keys': bytes('{', Array.from({ length: 10_000 }, (_, n) => `"k${n}":${n}`).join(','), '}'),
  'keys of the prototype': bytes(
    '{"__proto__":{"jobId":"evil"},"constructor":{"prototype":1},"toString":1,"hasOwnProperty":null}',
  ),
  'an empty key': bytes('{"":{"":{"":""}}}'),
  'a long key': bytes('{"', 'k'.repeat(200_000), '":1}'),
  'a long string': bytes('{"msg":"', 'x'.repeat(300_000), '"}'),
  'one value': bytes('"job 1 completed"'),
  'a number': bytes('1'),
  null: bytes('null'),
  'a list of records': bytes('[{"level":30,"msg":"x"},{"level":30,"msg":"y"}]'),
  'records glued together': bytes('{"msg":"a"}{"msg":"b"}'),
  'separated by RS': bytes([0x1e], '{"msg":"a"}'),
  'byte order mark': bytes([0xef, 0xbb, 0xbf], '{"msg":"a"}'),
  'byte order mark of UTF-16': bytes([0xff, 0xfe], '{\u0000"\u0000}\u0000'),
  'UTF-8: lone continuation': bytes('{"msg":"', [0x80, 0xbf], '"}'),
  'UTF-8: overlong': bytes('{"msg":"', [0xc0, 0xaf, 0xe0, 0x80, 0xaf], '"}'),
  'UTF-8: surrogate': bytes('{"msg":"', [0xed, 0xa0, 0x80], '"}'),
  'UTF-8: beyond Unicode': bytes('{"msg":"', [0xf4, 0xbf, 0xbf, 0xbf], '"}'),
  'UTF-8: cut character': bytes('{"msg":"', [0xe2, 0x82]),
  'UTF-8: Latin-1': bytes('{"msg":"', [0xe9], '"}'),
  'bytes that are never UTF-8': bytes([0xfe, 0xfe, 0xff, 0xff]),
  NULs: bytes([0, 0, 0, 0]),
  'nothing but spaces': bytes('   \t  '),
  nothing: bytes(''),
};

/** Every line by what it is. */
export function hostileLines(): readonly (readonly [name: string, line: Buffer])[] {
  const placed = Object.entries(VALUES).flatMap(([name, value]): [string, Buffer][] => [
    [`${name}, alone`, Buffer.from(value)],
    [`${name}, in a list`, Buffer.from(`[${value}]`)],
    [`${name}, as a field`, Buffer.from(`{"level":30,"time":1705314600123,"pid":7,"x":${value},"msg":"y"}`)],
    [`${name}, as the time`, Buffer.from(`{"level":30,"time":${value},"msg":"y"}`)],
    [`${name}, as the id`, Buffer.from(`{"level":30,"jobId":${value},"msg":"y"}`)],
  ]);
  return [...placed, ...Object.entries(LINES)];
}
