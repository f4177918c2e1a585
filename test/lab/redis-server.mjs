/**
 * A real redis-server of our own: free loopback port, temporary folder, append-only file with timestamps, and everything
 * it executes copied from MONITOR. Nothing leaves the loopback interface.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { findTool } from '../../scripts/external-tools.mjs';

const HOST = '127.0.0.1';
const STARTS = 3;
const MONITOR_AGAIN_MS = 5;

async function freePort() {
  const probe = net.createServer().listen(0, HOST);
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts a server process, which dies with us. */
function spawnServer(binary, dir, port, settings) {
  const all = {
    port,
    bind: HOST,
    dir,
    save: '',
    appendonly: 'yes',
    'aof-timestamp-enabled': 'yes',
    'aof-use-rdb-preamble': 'yes',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(binary, args, { stdio: 'ignore' });
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exited = new Promise((resolve) => {
    server.once('exit', () => {
      process.off('exit', killWithUs);
      resolve();
    });
  });
  return { server, exited };
}

/** Starts a server and waits for its PONG. Another process may take the free port first, so one more try is normal. */
async function launch(binary, dir, settings, triesLeft = STARTS) {
  const port = await freePort();
  const { server, exited } = spawnServer(binary, dir, port, settings);
  const client = new Redis({ host: HOST, port, maxRetriesPerRequest: 20, retryStrategy: () => 50 });
  client.on('error', () => {});
  const answer = await Promise.race([client.ping(), exited.then(() => undefined)]).catch(() => undefined);
  if (answer === 'PONG') return { server, exited, client, port };
  client.disconnect();
  server.kill('SIGKILL');
  if (triesLeft > 1) return launch(binary, dir, settings, triesLeft - 1);
  throw new Error(`redis-server did not start in ${dir}`);
}

/** Copies what MONITOR prints, in the form redis-cli gives it. After a restart of Redis it goes on in the same file. */
function copyMonitor(port, file) {
  const out = fs.createWriteStream(file);
  let stopped = false;
  let socket;
  function listen() {
    let rest = '';
    socket = net.connect(port, HOST, () => socket.write('MONITOR\r\n'));
    socket.setEncoding('latin1').on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) out.write(`${line.slice(1)}\n`, 'latin1');
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      if (!stopped) setTimeout(listen, MONITOR_AGAIN_MS);
    });
  }
  listen();
  return () =>
    new Promise((resolve) => {
      stopped = true;
      socket.destroy();
      out.end(resolve);
    });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts Redis with further `settings` of redis.conf. `client` is the operator's connection: what an incident does to Redis
 * by hand goes through it. `kill` and `start` are a crash and a restart on the same port and folder; `keepSnapshot` writes
 * dump.rdb now, as a server that saves every now and then would have.
 */
export async function startRedis(settings = {}) {
  const binary = findTool('redis-server');
  if (binary === undefined) throw new Error('redis-server is not installed: the lab records on a real Redis only');
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmq-lab-'));
  const { client, port, ...first } = await launch(binary, dir, settings);
  let { server, exited } = first;
  const monitorFile = path.join(dir, 'monitor.txt');
  const stopMonitor = copyMonitor(port, monitorFile);
  await sleep(50);

  async function keepSnapshot() {
    await client.bgsave();
    while (!(await client.info('persistence')).includes('rdb_bgsave_in_progress:0')) await sleep(20);
  }

  async function kill() {
    server.kill('SIGKILL');
    await exited;
  }

  async function start() {
    ({ server, exited } = spawnServer(binary, dir, port, settings));
    while ((await client.ping().catch(() => undefined)) !== 'PONG') await sleep(20);
  }

  /** Writes dump.rdb as BGSAVE does and copies every trace of this Redis into a folder. */
  async function collect(folder, queue) {
    fs.mkdirSync(folder, { recursive: true });
    const events = await client.xrange(`bull:${queue}:events`, '-', '+');
    fs.writeFileSync(path.join(folder, 'events.xrange.json'), JSON.stringify(events));
    await keepSnapshot();
    for (const name of ['dump.rdb', 'appendonlydir']) {
      // Without append-only file there is no such folder.
      if (fs.existsSync(path.join(dir, name)))
        fs.cpSync(path.join(dir, name), path.join(folder, name), { recursive: true });
    }
    fs.copyFileSync(monitorFile, path.join(folder, 'monitor.txt'));
  }

  async function stop() {
    await stopMonitor();
    client.disconnect();
    await kill();
    fs.rmSync(dir, { recursive: true, force: true });
  }

  return { host: HOST, port, client, collect, stop, kill, start, keepSnapshot };
}
