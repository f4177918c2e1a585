/** A command of a transcript, as far as its own line tells. */

/** How an answer was asked to be printed; undefined where nothing says so. */
export type Rendering = 'tty' | 'raw' | 'csv' | 'json' | 'quoted-json';

export interface CommandLine {
  /** `prompt`: typed at redis-cli's prompt. `shell`: a shell's line. `heading`: the bare command behind `#` or `>`. */
  readonly from: 'prompt' | 'shell' | 'heading';
  /** Name and arguments; empty for a prompt at which nothing was typed, or a start of the interactive mode. */
  readonly words: readonly string[];
  readonly rendering: Rendering | undefined;
  /** Database, where the line says it. */
  readonly db: number | undefined;
  /** What stands before each line of a quoted or indented transcript. */
  readonly margin: string;
  /** Prompt of the shell, so that its other lines are known. */
  readonly shellPrompt: string;
  /** Time in the shell's prompt, as it stands there. */
  readonly clock: string | undefined;
  /** The line that ends the commands which follow (`redis-cli <<EOF`). */
  readonly heredoc: string | undefined;
  /** Why the answer cannot be what Redis said, such as a filter behind a pipe. */
  readonly spoiled: string | undefined;
}
