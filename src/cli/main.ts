/** The command line. The only place that ends the process, and the only one that prints an error. */
import { CommanderError } from 'commander';
import { EXIT, UsageError } from './exit-codes.js';
import { buildProgram } from './program.js';

async function main(): Promise<number> {
  const program = buildProgram((code) => {
    exitCode = code;
  });
  let exitCode: number = EXIT.done;
  try {
    await program.parseAsync(process.argv);
    return exitCode;
  } catch (error) {
    // Commander has printed its own line; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const debug = process.argv.includes('--debug');
    const text =
      error instanceof Error ? (debug ? (error.stack ?? error.message) : oneLine(error.message)) : String(error);
    process.stderr.write(`bullmortem: ${text}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.noResult;
  }
}

/** Messages may quote file names, which may hold anything. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 2000);

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early (head) has seen enough.
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    if (stream === process.stdout)
      process.stderr.write(`bullmortem: cannot write to the standard output: ${oneLine(error.message)}\n`);
    process.exit(EXIT.noResult);
  });
// What runs at exit removes the temporary case file.
process.on('SIGINT', () => process.exit(EXIT.interrupted));
process.on('SIGTERM', () => process.exit(EXIT.interrupted));
process.exitCode = await main();
