import { describe, expect, it } from 'vitest';
import { detect, forcedFormatOf, formatNames, type IntakeReader, parseForcedFormat } from '../../src/intake/index.js';
import { lineReader, rdbReader, reportOf } from './helpers.js';

const reader = (name: string, score: number | undefined, formats?: readonly string[]): IntakeReader => ({
  name,
  ...(formats !== undefined && { formats }),
  detect: () => (score === undefined ? undefined : { format: `${name}-format`, score, reason: 'test' }),
  read: async () => reportOf('log', name, 0),
});
const head = (text: string): Uint8Array => Buffer.from(text);

/** The name of the reader, or why there is none. */
const winner = (...args: Parameters<typeof detect>): string => {
  const detected = detect(...args);
  return detected.kind === 'known' ? detected.reader.name : detected.reason;
};

describe('detection', () => {
  it('gives the source to the highest score, on a tie to the first reader', () => {
    const readers = [reader('a', 0.3), reader('b', 0.9), reader('c', 0.9), reader('d', undefined)];
    expect(winner(head('x'), 'x', readers)).toBe('b');
    expect(detect(head('REDIS0010'), 'x', [lineReader, rdbReader])).toEqual({
      kind: 'known',
      reader: rdbReader,
      detection: { format: 'rdb', score: 1, reason: 'starts with the bytes REDIS' },
      damage: [],
    });
  });

  it('says what nobody knows', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    expect(winner(png, 'x.log', [lineReader, rdbReader])).toBe(
      'binary data, not a log, RDB, AOF or known export; first bytes 89 50 4e 47',
    );
    expect(winner(head('\x7fELF is text enough for a careless reader'), 'x', [lineReader])).toMatch(
      /first bytes 7f 45 4c 46$/,
    );
    expect(winner(head('%PDF-1.7'), 'x', [reader('sure', 0.9), lineReader])).toBe('sure');
    expect(winner(Buffer.from([0xff, 0xd8, 0xff]), 'x', [])).toMatch(/^binary data.*first bytes ff d8 ff$/);
    expect(winner(head('hello ä\n\x1b[31mred\n'), 'x', [])).toBe('text, not a log or an export that is known');
  });

  it('knows an empty file', () => {
    expect(detect(new Uint8Array(0), 'x', [reader('a', 1)]).kind).toBe('empty');
    expect(detect(new Uint8Array(0), 'x', [reader('a', 1)], 'a').kind).toBe('empty');
  });

  it('survives a reader that fails to look', () => {
    const bad: IntakeReader = {
      ...reader('bad', 1),
      detect: () => {
        throw new TypeError('no\nstack');
      },
    };
    expect(winner(head('x'), 'x', [bad, lineReader])).toBe('log');
    expect(detect(head('x'), 'x', [bad, lineReader]).damage).toEqual([
      { what: 'reader bad failed to look at it: no; this is a bug, please report' },
    ]);
  });

  it('knows the manifest of an AOF, but gives way to a reader that knows it better', () => {
    const manifest = head('file appendonly.aof.1.base.rdb seq 1 type b\nfile appendonly.aof.1.incr.aof seq 1 type i\n');
    expect(winner(manifest, 'appendonly.aof.manifest', [lineReader, rdbReader])).toBe('aof-manifest');
    expect(winner(head('file "a \\" b" seq 1 type h\n'), 'x.manifest', [lineReader])).toBe('aof-manifest');
    expect(winner(manifest, 'appendonly.aof.manifest', [reader('redis', 0.95)])).toBe('redis');
    expect(winner(manifest, 'x.log', [lineReader])).toBe('log');
    expect(winner(head('CACHE MANIFEST\n'), 'app.manifest', [lineReader])).toBe('log');
  });
});

describe('a forced format', () => {
  const readers = [reader('log', 0.1, ['pino', 'nest']), reader('rdb', 1), reader('other', 0.2)];

  it('is absolute', () => {
    expect(winner(head('x'), 'x', readers, 'nest')).toBe('log');
    expect(winner(head('x'), 'x', readers, 'log')).toBe('log');
    expect(winner(head('x'), 'x', readers, 'other-format')).toBe('other');
    expect(detect(head('x'), 'x', readers, 'pino')).toMatchObject({
      detection: { format: 'pino', score: 1, reason: 'given with --format' },
    });
  });

  it('that nobody knows leaves the source unread', () => {
    expect(winner(head('x'), 'x', readers, 'nonsense')).toBe('no reader knows the format nonsense given with --format');
    expect(formatNames(readers)).toEqual(['log', 'pino', 'nest', 'rdb', 'other']);
  });

  it('is parsed with and without a glob', () => {
    expect(parseForcedFormat('pino')).toEqual({ name: 'pino' });
    expect(parseForcedFormat('*.log=pino')).toEqual({ glob: '*.log', name: 'pino' });
    expect(parseForcedFormat('a=b.log=pino')).toEqual({ glob: 'a=b.log', name: 'pino' });
    expect(parseForcedFormat('=pino')).toEqual({ name: 'pino' });
    expect(parseForcedFormat('*.log=')).toBeUndefined();
    expect(parseForcedFormat('')).toBeUndefined();
  });

  it('goes to the sources that its glob names', () => {
    const formatOf = (path: string, ...forced: string[]): string | undefined =>
      forcedFormatOf(
        { path, fileName: path.split('/').at(-1) ?? '' },
        forced.flatMap((text) => parseForcedFormat(text) ?? []),
      );
    expect(formatOf('logs/a.log', '*.log=pino')).toBe('pino');
    expect(formatOf('logs/a.log', 'logs/*=pino')).toBe('pino');
    expect(formatOf('x/logs/a.log', 'logs/*=pino')).toBeUndefined();
    expect(formatOf('x/logs/a.log', '**/logs/**=pino')).toBe('pino');
    expect(formatOf('logs/a.log', '**/a.log=pino')).toBe('pino');
    expect(formatOf('a.log', '**/a.log=pino')).toBe('pino');
    expect(formatOf('a.log', '[!b]?log=pino')).toBe('pino');
    expect(formatOf('b.log', '[!b]?log=pino')).toBeUndefined();
    expect(formatOf('a+b(1).log', 'a+b(1).{log,txt}=pino')).toBe('pino');
    expect(formatOf('a\nb', '*=pino')).toBe('pino');
    expect(formatOf('{a', '{a=pino')).toBe('pino');
    expect(formatOf('a', '[z-a]=pino')).toBeUndefined();
    expect(formatOf('a]', '[]]*=pino')).toBeUndefined();
    expect(formatOf(']a', '[]]*=pino')).toBe('pino');
    expect(formatOf('a.log', 'nest', '*.log=pino', '*.txt=rdb')).toBe('pino');
    expect(formatOf('a.bin', 'nest', '*.log=pino', 'rdb')).toBe('rdb');
  });
});
