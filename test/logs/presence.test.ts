import { describe, expect, it } from 'vitest';
import { readText } from './read-log.js';

const at = (t: number, rest = '') =>
  `{"level":30,"time":${1705314600000 + t},"pid":1,"hostname":"h"${rest},"msg":"tick"}\n`;

describe('presence', () => {
  it('is one span while no pause is longer than 100 ms', async () => {
    const { presence } = await readText([0, 50, 150, 250].map((t) => at(t)).join(''));
    expect(presence).toEqual([
      { process: { host: 'h', pid: 1 }, fromMs: 1705314600000, toMs: 1705314600250, fromLine: 1, toLine: 4, lines: 4 },
    ]);
  });

  it('ends with a longer one', async () => {
    const { presence } = await readText([0, 101, 150].map((t) => at(t)).join(''));
    expect(presence.map(({ fromMs, toMs, lines }) => [fromMs - 1705314600000, toMs - 1705314600000, lines])).toEqual([
      [0, 0, 1],
      [101, 150, 2],
    ]);
  });

  it('counts no line without a time', async () => {
    const { presence } = await readText(`${at(0)}Job 1 started\n    more of it\n${at(50)}`);
    expect(presence).toEqual([expect.objectContaining({ lines: 2, fromLine: 1, toLine: 4 })]);
  });

  it('is kept for each process by itself', async () => {
    const other = (t: number) => at(t).replace('"pid":1', '"pid":2');
    const { presence } = await readText(at(0) + other(10) + at(90) + other(300));
    expect(presence.map(({ process, lines }) => [process.pid, lines])).toEqual([
      [2, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  it('grows backwards in an export that comes newest first', async () => {
    const { presence } = await readText([200, 150, 100].map((t) => at(t)).join(''));
    expect(presence).toEqual([expect.objectContaining({ fromMs: 1705314600100, toMs: 1705314600200, lines: 3 })]);
    expect(presence[0]).toMatchObject({ fromLine: 3, toLine: 1 });
  });
});

describe('identity', () => {
  const bare = 'Error: could not renew lock for job 1\n    at x (/a.js:1:1)\n';

  it('of a line without any is that of the only process so far', async () => {
    const { events } = await readText(at(0) + bare);
    expect(events[0]?.process).toEqual({ host: 'h', pid: 1 });
  });

  it('is left open where two processes write to one file', async () => {
    const { events } = await readText(at(0) + at(1).replace('"pid":1', '"pid":2') + bare);
    expect(events[0]?.process).toBeUndefined();
  });

  it('follows the prefix of the transport', async () => {
    const lines = [
      `worker-1  | ${at(0)}`,
      `worker-2  | ${at(1).replace('"pid":1', '"pid":2')}`,
      ...prefixed('worker-2', bare),
    ];
    const { events } = await readText(lines.join(''));
    expect(events[0]?.process).toEqual({ host: 'h', pid: 2, container: 'worker-2' });
  });

  it('is not the far end of a connection', async () => {
    const { events } = await readText(
      '{"level":"error","message":"could not renew lock for job 1","host":"10.0.0.1","port":6379}\n',
    );
    expect(events[0]?.process).toBeUndefined();
  });

  const prefixed = (name: string, text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${name}  | ${line}\n`);
});

describe('a record without a time', () => {
  it('stands at the time of the one before it', async () => {
    const { events } = await readText(`Job 1 started\n${at(0)}Job 2 started\n`);
    expect(events.map(({ t, precision }) => [t, precision])).toEqual([
      [undefined, 'none'],
      [1705314600000, 'none'],
    ]);
  });
});
