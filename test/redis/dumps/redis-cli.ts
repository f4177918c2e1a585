/** The real redis-cli, run for its output. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a command prints, in the rendering that `flags` ask for. */
export async function redisCli(port: number, flags: readonly string[], command: readonly string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...flags, ...command], { maxBuffer: 1e8 });
  return stdout;
}

export const hasScript = ((): boolean => {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * An interactive session on a terminal, recorded by script(1): each command is typed when the prompt has come.
 *
 * @param term `dumb` records what can be copied from a screen, others every key with its colours and redrawing.
 */
export function typescript(port: number, term: string, commands: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = spawn('script', ['-qc', `stty cols 200 rows 50; redis-cli -p ${port}`, '/dev/null'], {
      env: { ...process.env, TERM: term, HOME: '/nonexistent' },
    });
    let recorded = '';
    let from = 0;
    const left = [...commands, 'quit'];
    shell.on('error', reject);
    shell.stdout.on('data', (data: Buffer) => {
      recorded += data.toString('latin1');
      if (!/\d(?:\[\d+\])?(?:\(TX\))?> (?:\x1b\[0K\r\x1b\[\d+C)?$/.test(recorded.slice(from))) return;
      from = recorded.length;
      const command = left.shift();
      if (command !== undefined) shell.stdin.write(`${command}${term === 'dumb' ? '\n' : '\r'}`);
    });
    shell.on('close', () => resolve(recorded));
  });
}
