/**
 * Loads and compiles the Handlebars templates of one language, the first time they are needed.
 *
 * `strict` makes a misspelt field an error instead of a silent gap; every view model therefore carries all of its fields.
 */
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

/** `templates/` of the package: three folders up from here, in `src` and in `dist` alike. */
const TEMPLATES = new URL('../../../templates/', import.meta.url);

interface Language {
  readonly folder: 'markdown' | 'html';
  /** Markdown has its own escaping in helpers; HTML uses Handlebars'. */
  readonly noEscape: boolean;
  readonly helpers: Readonly<Record<string, Handlebars.HelperDelegate>>;
}

/** The compiled `report.hbs` of a language with every other file of the folder as a partial. */
export function loadTemplate({ folder, noEscape, helpers }: Language): Handlebars.TemplateDelegate {
  const environment = Handlebars.create();
  for (const [name, helper] of Object.entries(helpers)) environment.registerHelper(name, helper);
  const base = new URL(`${folder}/`, TEMPLATES);
  const options: CompileOptions = { noEscape, strict: true, knownHelpers: known(helpers), knownHelpersOnly: true };
  for (const file of readdirSync(base).sort()) {
    if (!file.endsWith('.hbs') || file === 'report.hbs') continue;
    const source = readFileSync(new URL(file, base), 'utf8');
    environment.registerPartial(file.slice(0, -'.hbs'.length), environment.compile(source, options));
  }
  return environment.compile(readFileSync(new URL('report.hbs', base), 'utf8'), options);
}

/** The style sheet that the HTML report carries inside. */
export function loadStyle(): string {
  return readFileSync(new URL('style.css', TEMPLATES), 'utf8');
}

function known(helpers: Language['helpers']): Record<string, boolean> {
  return Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
}
