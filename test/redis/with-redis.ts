/**
 * A real Redis for a test file: started on a free loopback port in a folder of its own, stopped and removed afterwards.
 * Where the machine has no redis-server, the tests that need it are skipped and say so.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';

const START_ATTEMPTS = 100;
const START_PAUSE_MS = 50;

export interface RunningRedis {
  readonly port: number;
  readonly dir: string;
  /** Connected to database 0. */
  readonly client: Redis;
  /** Saves, and returns the bytes of the RDB. */
  save(): Promise<Buffer>;
  stop(): Promise<void>;
}

function version(): string | undefined {
  try {
    return execFileSync('redis-server', ['--version'], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
}

export const redisServerVersion = version();

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(address)));
    });
  });
}

function exited(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve();
    else server.once('exit', () => resolve());
  });
}

/** Starts a server without persistence of its own. `options` are pairs as on its command line: `--name value`. */
export async function startRedis(options: readonly string[] = []): Promise<RunningRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'bullmortem-redis-'));
  const port = await freePort();
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', [...fixed, '--enable-debug-command', 'local', ...options], { stdio: 'ignore' });
  const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  for (let attempt = 1; ; attempt++) {
    try {
      await client.connect();
      break;
    } catch (error) {
      if (attempt === START_ATTEMPTS || server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
    }
  }
  return {
    port,
    dir,
    client,
    async save() {
      await client.save();
      return readFile(join(dir, 'dump.rdb'));
    },
    async stop() {
      client.disconnect();
      server.kill();
      await exited(server);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A `describe` whose tests share one server, given by the function they get. */
export function describeWithRedis(
  name: string,
  options: readonly string[],
  tests: (redis: () => RunningRedis) => void,
): void {
  if (redisServerVersion === undefined) {
    describe.skip(`${name} (skipped: no redis-server on this machine)`, () => tests(() => Promise.reject() as never));
    return;
  }
  describe(name, () => {
    let running: RunningRedis | undefined;
    beforeAll(async () => {
      running = await startRedis(options);
    });
    afterAll(async () => {
      await running?.stop();
    });
    tests(() => {
      if (running === undefined) throw new Error('the server has not started');
      return running;
    });
  });
}
