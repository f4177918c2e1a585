/** A real redis-server that writes an input of the benchmark, in a folder of its own, reached by a socket in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTool } from '../../scripts/external-tools.mjs';

const START_MS = 10_000;

/** Runs `work` with the server's folder and socket; afterwards the server and its folder are gone. */
export async function withRedis(settings, work) {
  const binary = findTool('redis-server');
  if (binary === undefined) throw new Error('redis-server is not installed; this input is made by a real one');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bullmortem-bench-redis-'));
  const socket = path.join(folder, 'redis.sock');
  const all = { port: 0, unixsocket: socket, dir: folder, save: '', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(binary, args, { stdio: 'ignore' });
  const exited = once(server, 'exit');
  try {
    const until = Date.now() + START_MS;
    while (!fs.existsSync(socket)) {
      if (server.exitCode !== null || Date.now() > until) throw new Error('redis-server did not start');
      await sleep(20);
    }
    return await work(folder, socket);
  } finally {
    server.kill();
    await exited;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const resp = (args) =>
  `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(String(arg))}\r\n${arg}\r\n`).join('')}`;

/** Sends commands without waiting for their answers, as fast as the server takes them; an error among the answers throws. */
export async function pipe(socket, commands) {
  const connection = net.connect(socket);
  await once(connection, 'connect');
  let answers = '';
  connection.on('data', (chunk) => {
    answers = `${answers}${chunk.toString('latin1')}`.slice(-200);
    if (/(^|\n)-/.test(answers)) connection.destroy(new Error(`redis-server answers ${answers.trim()}`));
  });
  let batch = '';
  for (const command of commands) {
    batch += resp(command);
    if (batch.length < 1 << 16) continue;
    if (!connection.write(batch)) await once(connection, 'drain');
    batch = '';
  }
  connection.end(batch);
  await once(connection, 'close');
}
