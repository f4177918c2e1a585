/**
 * Loads and compiles the Handlebars templates of one language, the first time they are needed.
 *
 * `strict` makes a misspelt field an error instead of a silent gap; every view model therefore carries all of its fields.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { TEMPLATES } from '../templates-folder.js';
import { compileTeamTemplate, type TeamTemplate, type TemplateFolder } from './team-templates.js';

interface Language {
  readonly folder: TemplateFolder;
  /** Markdown has its own escaping in helpers; HTML uses Handlebars'. */
  readonly noEscape: boolean;
  readonly helpers: Readonly<Record<string, Handlebars.HelperDelegate>>;
}

/**
 * The compiled `report.hbs` of a language with every other file of the folder as a partial. Those of a team take the place of ours
 * by their name; others stand together in the partial `team`.
 *
 * @throws TemplateError for a template of the team that is none
 */
export function loadTemplate(
  { folder, noEscape, helpers }: Language,
  team: readonly TeamTemplate[] = [],
): Handlebars.TemplateDelegate {
  const environment = Handlebars.create();
  for (const [name, helper] of Object.entries(helpers)) environment.registerHelper(name, helper);
  const base = new URL(`${folder}/`, TEMPLATES);
  const options: CompileOptions = { noEscape, strict: true, knownHelpers: known(helpers), knownHelpersOnly: true };
  const own = readdirSync(base)
    .filter((file) => file.endsWith('.hbs') && file !== 'report.hbs')
    .map((file) => file.slice(0, -'.hbs'.length))
    .sort();
  for (const name of own) {
    const source = readFileSync(new URL(`${name}.hbs`, base), 'utf8');
    environment.registerPartial(name, environment.compile(source, options));
  }
  const further = team.filter(({ name }) => !own.includes(name)).map(({ name }) => `{{> ${name}}}\n`);
  environment.registerPartial('team', environment.compile(further.join(''), options));
  const names = new Set([...own, ...team.map(({ name }) => name)]);
  for (const template of team)
    environment.registerPartial(template.name, compileTeamTemplate(template, environment, options, names));
  return environment.compile(readFileSync(new URL('report.hbs', base), 'utf8'), options);
}

/** The style sheet that the HTML report carries inside. */
export function loadStyle(): string {
  return readFileSync(new URL('style.css', TEMPLATES), 'utf8');
}

/** The script of the filter, and how the page's policy names it. */
export function loadScript(): { readonly code: string; readonly hash: string } {
  const code = readFileSync(new URL('filter.js', TEMPLATES), 'utf8');
  return { code, hash: `sha256-${createHash('sha256').update(code).digest('base64')}` };
}

function known(helpers: Language['helpers']): Record<string, boolean> {
  return Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
}
