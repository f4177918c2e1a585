import { describe, expect, it } from 'vitest';
import { readText } from './read-log.js';

async function only(line: string) {
  const { events } = await readText(`${line}\n`);
  expect(events).toHaveLength(1);
  return events[0];
}

describe('details of an event', () => {
  it('queue and prefix out of a qualified name', async () => {
    const event = await only(
      '{"time":1705314600123,"msg":"Job started","jobId":"1","queueQualifiedName":"{team}:mail"}',
    );
    expect(event).toMatchObject({ queue: 'mail', prefix: '{team}' });
    expect(
      (await only('{"time":1705314600123,"msg":"Job started","jobId":"1","queueName":"bull:mail"}'))?.prefix,
    ).toBeUndefined();
  });

  it('a token anywhere', async () => {
    const token = '904af83f-0d42-4ea8-b974-75255c6bffa9:3';
    expect(await only(`Job 1 started with token ${token}`)).toMatchObject({ job: '1', token });
    expect(await only(`{"time":1705314600123,"msg":"Job started","jobId":"1","lockToken":"${token}"}`)).toMatchObject({
      token,
    });
  });

  it.each([
    ['Job 1 done in 1.2s', { durationMs: 1200 }],
    ['Job 1 step 2/5', { progress: '2/5' }],
    ['Job 1: 40% done', { progress: 40 }],
    ['Job 1 reported progress 80', { progress: 80 }],
    ['Job 1 progress updated to 0.5', { progress: 0.5 }],
    ['Job 1 failed: boom', { soft: true, text: 'boom' }],
    ['Job 1 started (attempt 2/3)', { attempt: 2 }],
    ['Job 1 failed after 3 attempts: boom', { attempt: 3, soft: true, text: 'boom' }],
    ['Job 1 moved to delayed', { command: 'moveToDelayed' }],
    ['Job 1 marked completed', { command: 'moveToFinished' }],
    ['Job send[1-2] stalled', { jobName: 'send', attempt: 2 }],
    ['SIGTERM received', { signal: 'SIGTERM' }],
    ['event loop lag 350 ms', { lagMs: 350 }],
    ['Event loop blocked for 5.5s', { lagMs: 5500 }],
    ['options lockDuration=30s maxStalledCount=1', { settings: { lockDuration: 30_000, maxStalledCount: 1 } }],
  ])('%s', async (line, data) => {
    expect((await only(line))?.data).toEqual(data);
  });
});

describe('the stack of an error', () => {
  const stack = (...frames: string[]) => ['Error: Missing lock for job 1. moveToFinished', ...frames].join('\n    at ');
  const scripts = 'Scripts.finishedErrors (/app/node_modules/bullmq/dist/cjs/classes/scripts.js:1:1)';

  it.each([
    [
      'handle-completed',
      [scripts, 'async Worker.handleCompleted (/app/node_modules/bullmq/dist/cjs/classes/worker.js:1:1)'],
    ],
    ['handle-failed', [scripts, 'async Worker.handleFailed (/app/node_modules/bullmq/dist/cjs/classes/worker.js:1:1)']],
    ['renewal', ['/app/node_modules/bullmq/dist/cjs/classes/lock-manager.js:44:51']],
    [
      'user',
      [
        scripts,
        'async Job.moveToCompleted (/app/node_modules/bullmq/dist/cjs/classes/job.js:1:1)',
        'async approve (/app/src/a.js:1:1)',
      ],
    ],
    [
      'user',
      [
        'Scripts.finishedErrors (/app/bundle.js:1:1)',
        'async Job.moveToCompleted (/app/bundle.js:2:1)',
        'async /app/bundle.js:3:1',
      ],
    ],
    [undefined, [scripts, 'process.processTicksAndRejections (node:internal/process/task_queues:95:5)']],
    [undefined, ['run (/app/src/a.js:1:1)']],
  ])('names the frame %s', async (frame, frames) => {
    expect((await only(stack(...frames)))?.data?.frame).toBe(frame);
  });

  it('is found in a message of JSON that holds it, too', async () => {
    const frames = [scripts, 'async Worker.handleFailed (/app/node_modules/bullmq/dist/cjs/classes/worker.js:1:1)'];
    const line = JSON.stringify({ level: 'error', message: stack(...frames), timestamp: '2026-11-30T14:12:29.219Z' });
    expect((await only(line))?.data?.frame).toBe('handle-failed');
  });

  it('is read as error trackers print it', async () => {
    const frames = [
      'File "/app/node_modules/bullmq/dist/cjs/classes/scripts.js", line 320, col 24, in Scripts.finishedErrors',
      'File "/app/node_modules/bullmq/dist/cjs/classes/worker.js", line 418, col 21, in Worker.handleFailed',
    ];
    const lines = ['Error: Missing lock for job 1. failed', ...frames.map((frame) => `  ${frame}`)].join('\n');
    expect((await only(lines))?.data?.frame).toBe('handle-failed');
  });

  it.each([
    ['5.45.2', '/app/node_modules/.pnpm/bullmq@5.45.2/node_modules/bullmq/dist/cjs/classes/scripts.js:1:1'],
    ['6', '/app/node_modules/bullmq/dist/cjs/classes/finished-errors.js:1:1'],
    [undefined, '/app/node_modules/bullmq/dist/cjs/classes/scripts.js:1:1'],
  ])('names the version %s', async (version, path) => {
    expect((await only(stack(`finishedErrors (${path})`)))?.data?.bullmq).toBe(version);
  });
});

describe('detection', () => {
  it('leaves binary to others', async () => {
    const { logReader } = await import('../../src/logs/index.js');
    expect(
      logReader.detect(
        Uint8Array.from({ length: 2000 }, (_, n) => n % 7),
        'x',
      ),
    ).toBeUndefined();
    expect(logReader.detect(new Uint8Array(100), 'x')).toBeUndefined();
    expect(logReader.detect(new TextEncoder().encode('hello\nworld\n'), 'x')).toMatchObject({ score: 0.1 });
    const nuls = `${'\0'.repeat(5000)}{"level":30,"time":1705314600123,"pid":1,"msg":"x"}\n`;
    expect(logReader.detect(new TextEncoder().encode(nuls), 'x')).toMatchObject({ score: 0.5, format: 'pino' });
  });
});
