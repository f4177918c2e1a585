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

async function freePort() {
  const probe = net.createServer().listen(0, HOST);
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts a server and waits for its PONG. Another process may take the free port first, so one more try is normal. */
async function launch(binary, dir, triesLeft = STARTS) {
  const port = await freePort();
  const settings = {
    port,
    bind: HOST,
    dir,
    save: '',
    appendonly: 'yes',
    'aof-timestamp-enabled': 'yes',
    'aof-use-rdb-preamble': 'yes',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(binary, args, { stdio: 'ignore' });
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exited = new Promise((resolve) => {
    server.once('exit', () => {
      process.off('exit', killWithUs);
      resolve();
    });
  });
  const client = new Redis({ host: HOST, port, maxRetriesPerRequest: 20, retryStrategy: () => 50 });
  client.on('error', () => {});
  const answer = await Promise.race([client.ping(), exited.then(() => undefined)]).catch(() => undefined);
  if (answer === 'PONG') return { server, exited, client, port };
  client.disconnect();
  server.kill('SIGKILL');
  if (triesLeft > 1) return launch(binary, dir, triesLeft - 1);
  throw new Error(`redis-server did not start in ${dir}`);
}

/** Copies what MONITOR prints, in the form redis-cli gives it. */
function copyMonitor(port, file) {
  const out = fs.createWriteStream(file);
  const socket = net.connect(port, HOST, () => socket.write('MONITOR\r\n'));
  let rest = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) out.write(`${line.slice(1)}\n`, 'latin1');
  });
  socket.on('error', () => {});
  return () =>
    new Promise((resolve) => {
      socket.destroy();
      out.end(resolve);
    });
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts Redis. `client` is the operator's connection: what an incident does to Redis by hand goes through it. */
export async function startRedis() {
  const binary = findTool('redis-server');
  if (binary === undefined) throw new Error('redis-server is not installed: the lab records on a real Redis only');
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmq-lab-'));
  const { server, exited, client, port } = await launch(binary, dir);
  const monitorFile = path.join(dir, 'monitor.txt');
  const stopMonitor = copyMonitor(port, monitorFile);
  await sleep(50);

  /** Writes dump.rdb as BGSAVE does and copies every trace of this Redis into a folder. */
  async function collect(folder, queue) {
    fs.mkdirSync(folder, { recursive: true });
    const events = await client.xrange(`bull:${queue}:events`, '-', '+');
    fs.writeFileSync(path.join(folder, 'events.xrange.json'), JSON.stringify(events));
    await client.bgsave();
    while (!(await client.info('persistence')).includes('rdb_bgsave_in_progress:0')) await sleep(20);
    for (const name of ['dump.rdb', 'appendonlydir']) {
      fs.cpSync(path.join(dir, name), path.join(folder, name), { recursive: true });
    }
    fs.copyFileSync(monitorFile, path.join(folder, 'monitor.txt'));
  }

  async function stop() {
    await stopMonitor();
    client.disconnect();
    server.kill('SIGKILL');
    await exited;
    fs.rmSync(dir, { recursive: true, force: true });
  }

  return { host: HOST, port, client, collect, stop };
}
