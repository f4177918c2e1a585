/** Commands and their options; what they do is loaded only when one of them runs. */
import { Command, Option } from 'commander';
import { VERSION } from './version.js';

const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];
const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(collect).default([], 'none');

/** `setExit` takes the exit code of the command that ran. */
export function buildProgram(setExit: (code: number) => void): Command {
  const program = new Command('bullmortem')
    .description('What happened to a BullMQ job: which boundary failed, by which worker, and was the work done twice.')
    .version(VERSION)
    // One line, as of every other error; commander adds what it takes for a misspelling in a second one.
    .configureOutput({
      outputError: (text, write) => {
        const said = text
          .replace(/^error: /, '')
          .trim()
          .replace(/\s*\n\s*/g, ' ');
        write(`bullmortem: ${said}; see bullmortem --help\n`);
      },
    })
    .exitOverride();

  program
    .command('analyze')
    .description('logs, Redis snapshots, case files, folders, globs, - for stdin → what happened')
    .argument('<evidence...>', 'files, folders, globs, a case file, an earlier analysis.json, or - for stdin')
    .addOption(
      repeatable(
        '-o, --output <file>',
        'write a report; kind by extension: .md .html .json .csv, or a folder for all of them',
      ),
    )
    .option('--case <file>', 'keep the case file (DuckDB); adds to one that exists')
    .addOption(
      repeatable('--set <name=value>', 'what you know: lockDuration=30s, stalledInterval=30s, maxStalledCount=1'),
    )
    .addOption(repeatable('--records <file>', 'idempotency records to hold against the evidence'))
    .addOption(repeatable('--columns <role=column>', 'with --records: which column tells what, such as key=dedupe_key'))
    .option('--job <queue:id>', 'tell this one job, healthy or not; a Redis key of it works, too')
    .option('--at <time>', 'with --job: what Redis would have answered about it at that moment')
    .option('--queue <name>', 'only findings and stories of this queue')
    .option('--worker <name>', 'only those that this worker had a part in: its name, host, pod, pid or lock token')
    .option('--from <time>', 'only those that reach beyond this moment of Redis time')
    .option('--to <time>', 'only those that began before it')
    .option('--around <time>', 'only those around this moment')
    .option('--within <duration>', 'how far around it (5m)')
    .option('--prefix <prefix>', 'key prefix of the queues; those under others are left out')
    .option('--assume-tz <zone>', 'zone of times that name none (IANA name or offset)')
    .option('--tz <zone>', 'zone in which times are displayed', 'UTC')
    .option('--clock-skew <duration>', 'how far apart two clocks without common records may be', '1s')
    .addOption(repeatable('--format <[glob=]name>', 'read sources as this format, whatever they look like'))
    .option(
      '--config <file>',
      "your team's own field names and words (bullmortem.config.json of the working directory)",
    )
    .option('--no-config', 'leave bullmortem.config.json of the working directory out')
    .option(
      '--redact',
      'pseudonyms in all reports for hosts, files, queues, keys, ids that are no numbers, error texts',
    )
    .option('--redact-key <file>', 'with this key, so that reports agree; made where there is none')
    .option('--template <folder>', 'your own sections of reports: markdown/NAME.hbs, html/NAME.hbs')
    .option('--include-data', 'quote cited records verbatim, with the data of jobs in them')
    .addOption(
      new Option('--fail-on <status>', 'exit with 1 on a finding of this status or above')
        .choices(['shown', 'likely', 'possible', 'never'])
        .default('never'),
    )
    .option('--quiet', 'print nothing but errors')
    .option('--no-progress', 'no progress on stderr')
    .option('--debug', 'print the stack of an error')
    .action(async (evidence: string[], options: object) => {
      const { runAnalyze } = await import('./analyze-command.js');
      setExit(await runAnalyze(evidence, options));
    });

  program
    .command('audit')
    .description('idempotency records (CSV, JSON, SQL dump, Parquet …), with or without evidence → what was done twice')
    .argument('<records...>', 'records, and beside them logs, Redis snapshots, folders, globs; - for stdin')
    .addOption(repeatable('-o, --output <file>', 'write a report; .csv lists every key with a verdict'))
    .addOption(
      repeatable(
        '--columns <role=column>',
        'which column tells what: key=dedupe_key,job=job_id; overrides what is found',
      ),
    )
    .option('--case <file>', 'keep what was understood of the evidence (DuckDB); adds to a case file that exists')
    .option('--fail-on <verdicts>', 'exit with 1 on these, or never (done-twice,overlapping,regressed)')
    .addOption(
      new Option('--summary <kind>', 'json: one line for schedulers').choices(['text', 'json']).default('text'),
    )
    .addOption(
      repeatable('--set <name=value>', 'what you know: lockDuration=30s, stalledInterval=30s, maxStalledCount=1'),
    )
    .option('--prefix <prefix>', 'key prefix of the queues')
    .option('--assume-tz <zone>', 'zone of times that name none (IANA name or offset)')
    .option('--tz <zone>', 'zone in which times are displayed', 'UTC')
    .option('--clock-skew <duration>', 'how far apart the clocks of two workers may be', '1s')
    .addOption(repeatable('--format <[glob=]name>', 'read sources as this format, whatever they look like'))
    .option(
      '--config <file>',
      "your team's own field names and words (bullmortem.config.json of the working directory)",
    )
    .option('--no-config', 'leave bullmortem.config.json of the working directory out')
    .option('--quiet', 'print nothing but errors and the summary line')
    .option('--no-progress', 'no progress on stderr')
    .option('--debug', 'print the stack of an error')
    .action(async (inputs: string[], options: object) => {
      const { runAudit } = await import('./audit-command.js');
      setExit(await runAudit(inputs, options));
    });

  program
    .command('prove')
    .description(
      'a recording before a fix and one after it → is the fix proven: each check, and the records it rests on',
    )
    .requiredOption('--before <evidence...>', 'evidence, a case file or an analysis.json from before the fix')
    .requiredOption('--after <evidence...>', 'the same from after the fix; evidence or its case file tells most')
    .addOption(repeatable('-o, --output <file>', 'write a report; kind by extension, as for analyze'))
    .addOption(repeatable('--columns <role=column>', 'which column of idempotency records tells what'))
    .addOption(
      repeatable('--set <name=value>', 'what you know: lockDuration=30s, stalledInterval=30s, maxStalledCount=1'),
    )
    .option(
      '--config <file>',
      "your team's own field names and words (bullmortem.config.json of the working directory)",
    )
    .option('--no-config', 'leave bullmortem.config.json of the working directory out')
    .option('--prefix <prefix>', 'key prefix of the queues')
    .option('--assume-tz <zone>', 'zone of times that name none (IANA name or offset)')
    .option('--tz <zone>', 'zone in which times are displayed', 'UTC')
    .option('--clock-skew <duration>', 'how far apart two clocks without common records may be', '1s')
    .addOption(repeatable('--format <[glob=]name>', 'read sources as this format, whatever they look like'))
    .option('--quiet', 'print nothing but errors')
    .option('--no-progress', 'no progress on stderr')
    .option('--debug', 'print the stack of an error')
    .action(async (options: object) => {
      const { runProve } = await import('./prove-command.js');
      setExit(await runProve(options));
    });

  program
    .command('collect')
    .description('prints a read-only sh script that gathers the evidence of a queue; connects to nothing itself')
    .requiredOption('--queue <name>', 'the queue')
    .option('--job <id>', 'the job that matters most: its logs and children are asked for, too')
    .option('--prefix <prefix>', 'key prefix of the queue; {bull} and the like in a cluster', 'bull')
    .option('--cluster', 'Redis is a cluster: follow redirections')
    .option('--debug', 'print the stack of an error')
    .action(async (options: object) => {
      const { runCollect } = await import('./collect-command.js');
      setExit(runCollect(options));
    });

  program
    .command('inspect')
    .description(
      'what each input is, how that was seen, what was understood of it, and what was not, as config to paste',
    )
    .argument('<evidence...>', 'files, folders, globs, or - for stdin')
    .addOption(repeatable('-o, --output <file.json>', 'write it as JSON'))
    .option('--prefix <prefix>', 'key prefix of the queues; those under others are left out')
    .option('--assume-tz <zone>', 'zone of times that name none (IANA name or offset)')
    .option('--tz <zone>', 'zone in which times are displayed', 'UTC')
    .addOption(repeatable('--format <[glob=]name>', 'read sources as this format, whatever they look like'))
    .option(
      '--config <file>',
      "your team's own field names and words (bullmortem.config.json of the working directory)",
    )
    .option('--no-config', 'leave bullmortem.config.json of the working directory out')
    .option('--quiet', 'print nothing but errors')
    .option('--no-progress', 'no progress on stderr')
    .option('--debug', 'print the stack of an error')
    .action(async (evidence: string[], options: object) => {
      const { runInspect } = await import('./inspect-command.js');
      setExit(await runInspect(evidence, options));
    });

  program
    .command('verify')
    .description('re-opens every cited record of an analysis in the evidence: is it there, and is it what it was')
    .argument('<analysis.json>', 'an analysis that bullmortem wrote')
    .argument('<evidence...>', 'the evidence it was made from, under any name: files, folders, globs, archives')
    .option('--redact-key <file>', 'the key of an analysis that was written with --redact')
    .option('--quiet', 'print nothing but errors')
    .option('--debug', 'print the stack of an error')
    .action(async (analysis: string, evidence: string[], options: object) => {
      const { runVerify } = await import('./verify-command.js');
      setExit(await runVerify(analysis, evidence, options));
    });

  program
    .command('explain')
    .description(
      'what a boundary, cause or rule means, what rules it out, how to reproduce it; without a name, all of them',
    )
    .argument('[name...]', 'such as lock-renewal, "Process killed" or never-started')
    .action(async (words: string[]) => {
      const { runExplain } = await import('./explain-command.js');
      setExit(runExplain(words.join(' ')));
    });

  return program;
}
