/**
 * A team's own sections: `DIR/markdown/NAME.hbs` and `DIR/html/NAME.hbs` stand for the section of that name, or come as further
 * sections before the manifest. They see what ours see, and cannot print what evidence wrote but by a way that escapes it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';

export type TemplateFolder = 'markdown' | 'html';

export interface TeamTemplate {
  readonly name: string;
  /** As it was found, for messages. */
  readonly path: string;
  readonly source: string;
}

export type TeamTemplates = Readonly<Record<TemplateFolder, readonly TeamTemplate[]>>;

/** Wrong use, in one line: file, line, what to do. */
export class TemplateError extends Error {}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** @throws TemplateError for a folder that holds none, or a file that cannot be read */
export function readTeamTemplates(folder: string): TeamTemplates {
  if (!existsSync(folder)) throw new TemplateError(`${folder}: no such folder`);
  const templates = { markdown: readFolder(folder, 'markdown'), html: readFolder(folder, 'html') };
  if (templates.markdown.length + templates.html.length === 0)
    throw new TemplateError(`${folder} holds no section: put them into markdown/NAME.hbs and html/NAME.hbs there`);
  return templates;
}

function readFolder(folder: string, kind: TemplateFolder): TeamTemplate[] {
  const place = join(folder, kind);
  let files: string[];
  try {
    files = readdirSync(place).filter((file) => file.endsWith('.hbs'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new TemplateError(`cannot read ${place}: ${firstLine(error)}`);
  }
  return files.sort().map((file) => {
    const path = join(place, file);
    const name = file.slice(0, -'.hbs'.length);
    if (!NAME.test(name) || name === 'report')
      throw new TemplateError(`${path}: the name of a section has small letters, digits and dashes, and is not report`);
    try {
      return { name, path, source: readFileSync(path, 'utf8') };
    } catch (error) {
      throw new TemplateError(`cannot read ${path}: ${firstLine(error)}`);
    }
  });
}

/** Compiles one. An error in it, found now or when it is used, names its file and line. */
export function compileTeamTemplate(
  { path, source }: TeamTemplate,
  environment: typeof Handlebars,
  options: CompileOptions,
  partials: ReadonlySet<string>,
): Handlebars.TemplateDelegate {
  const explained = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      throw new TemplateError(`${path}:${lineOf(error)}: ${messageOf(error)}`);
    }
  };
  explained(() => {
    new Check(path, options, partials).accept(environment.parse(source));
    // Compiling waits for the first use otherwise.
    environment.precompile(source, options);
  });
  const compiled = environment.compile(source, options);
  return (context: unknown, runtime) => explained(() => compiled(context, runtime));
}

/** Values of evidence must pass an escape on their way out. */
class Check extends Handlebars.Visitor {
  readonly #path: string;
  readonly #options: CompileOptions;
  readonly #partials: ReadonlySet<string>;

  constructor(path: string, options: CompileOptions, partials: ReadonlySet<string>) {
    super();
    this.#path = path;
    this.#options = options;
    this.#partials = partials;
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    const { path, escaped, loc } = mustache;
    const name = 'original' in path ? String(path.original) : '';
    const isHelper = Object.hasOwn(this.#options.knownHelpers ?? {}, name);
    if (this.#options.noEscape === true && !isHelper)
      this.#refuse(loc, `{{${name}}} would print evidence as Markdown: write {{md ${name}}} or {{code ${name}}}`);
    if (this.#options.noEscape !== true && !escaped)
      this.#refuse(loc, `{{{${name}}}} would print evidence as HTML: write {{${name}}}`);
    super.MustacheStatement(mustache);
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    const name = 'original' in partial.name ? String(partial.name.original) : '';
    if (!this.#partials.has(name)) this.#refuse(partial.loc, `there is no section or part called ${name}`);
    super.PartialStatement(partial);
  }

  #refuse({ start }: hbs.AST.SourceLocation, what: string): never {
    throw new TemplateError(`${this.#path}:${start.line}: ${what}`);
  }
}

/** Handlebars tells the line as a member, or within its words. */
function lineOf(error: unknown): number {
  if (typeof error === 'object' && error !== null && 'lineNumber' in error && typeof error.lineNumber === 'number')
    return error.lineNumber;
  return Number(/(?:on line | - )(\d+)/.exec(String(error))?.[1] ?? 1);
}

/** Without the drawing of the place, which takes lines. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const expecting = /Expecting [^\n]*/.exec(message)?.[0];
  const said = firstLine(message)
    .replace(/^Parse error on line \d+:?/, `not a template${expecting === undefined ? '' : `: ${expecting}`}`)
    .replace(/ - \d+:\d+$/, '')
    .replace('You specified knownHelpersOnly, but used the unknown helper', 'there is no helper called');
  return said.slice(0, 300);
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
