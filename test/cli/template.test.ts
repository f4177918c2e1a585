/** `--template`: a team's own sections stand in the reports, and what is wrong with one is said with file and line. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bullmortem, scratch } from './command.js';

const folder = scratch();
const SAMPLE = 'samples/incidents/starved/evidence';
const json = join(folder, 'analysis.json');
const sections = join(folder, 'sections');

function write(name: string, source: string): void {
  mkdirSync(join(sections, name, '..'), { recursive: true });
  writeFileSync(join(sections, name), source);
}

function render(output: string): { code: number | null; stderr: string; text: string } {
  const path = join(folder, output);
  rmSync(path, { force: true });
  const { code, stderr } = bullmortem(['analyze', json, '-o', path, '--template', sections]);
  return { code, stderr, text: code === 0 ? readFileSync(path, 'utf8') : '' };
}

describe('--template', () => {
  expect(bullmortem(['analyze', SAMPLE, '-o', json, '--quiet']).code).toBe(0);
  beforeEach(() => rmSync(sections, { recursive: true, force: true }));

  it('puts a section in the place of ours, and further ones before the manifest', () => {
    write('markdown/impact.hbs', '## Who was hit\n\n{{#each findings}}\n- {{md label}}: {{md verdict}}\n{{/each}}\n');
    write(
      'markdown/refunds.hbs',
      '## Refunds\n\n{{md analysis.totals.overlapping}} jobs; {{code analysis.schema}}\n\n{{> runs}}\n',
    );
    write('markdown/runs.hbs', '{{#each analysis.findings}}{{#each jobs}}{{code id}} {{/each}}{{/each}}\n');
    write(
      'html/refunds.hbs',
      '<section id="refunds"><h2>Refunds</h2><p>{{analysis.findings.length}} {{answer.verdict}}</p></section>\n',
    );
    const { code, text } = render('own.md');
    expect(code).toBe(0);
    expect(text).toContain('## Who was hit\n\n- F-1: Likely a lock');
    expect(text).not.toContain('## Impact on customers');
    expect(text.indexOf('## Refunds\n\n1 jobs; `bullmortem/analysis/1`')).toBeGreaterThan(text.indexOf('## Limits'));
    expect(text.indexOf('## Refunds')).toBeLessThan(text.indexOf('## Manifest'));
    const html = render('own.html').text;
    expect(html).toContain('<section id="refunds"><h2>Refunds</h2><p>1 Likely a lock');
    expect(html).toContain('id="impact"');
  });

  it.each([
    ['markdown/bad.hbs', 'one\n\n{{#each findings}}\n', /bad\.hbs:\d: not a template/],
    [
      'markdown/bad.hbs',
      'one\n{{summary}}\n',
      /bad\.hbs:2: \{\{summary\}\} would print evidence as Markdown: write \{\{md summary\}\}/,
    ],
    ['html/bad.hbs', '<p>\n{{{answer.sentence}}}</p>\n', /bad\.hbs:2: .* would print evidence as HTML/],
    ['html/bad.hbs', '{{#nope x}}{{/nope}}\n', /bad\.hbs:1: there is no helper called nope/],
    ['markdown/bad.hbs', '\n\n{{> nothing}}\n', /bad\.hbs:3: there is no section or part called nothing/],
    ['markdown/bad.hbs', '\n{{md answer.verdikt}}\n', /bad\.hbs:2: there is no such value/],
    ['html/bad.hbs', '\n\n<p>{{answer.verdikt}}</p>\n', /bad\.hbs:3: .*verdikt/],
    ['markdown/Bad Name.hbs', 'x\n', /Bad Name\.hbs: the name of a section/],
    ['other/x.hbs', 'x\n', /holds no section/],
  ])('%s %j is wrong use, in one line', (name, source, says) => {
    write(name, source);
    const { code, stderr } = render(name.startsWith('html') ? 'bad.html' : 'bad.md');
    expect(code).toBe(2);
    expect(stderr).toMatch(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^bullmortem: --template: /);
  });

  it('evidence stays inert in a section of the team', () => {
    write('markdown/own.hbs', '{{#each analysis.stories}}{{md name}} {{code name}}{{/each}}\n');
    write('html/own.hbs', '{{#each analysis.stories}}<p title="{{name}}">{{name}}</p>{{/each}}\n');
    const hostile = JSON.parse(readFileSync(json, 'utf8'));
    hostile.stories[0].name = '<img src=x onerror=alert(1)> [a](javascript:x) "';
    writeFileSync(join(folder, 'hostile.json'), JSON.stringify(hostile));
    for (const output of ['hostile.md', 'hostile.html']) {
      const path = join(folder, output);
      bullmortem(['analyze', join(folder, 'hostile.json'), '-o', path, '--template', sections]);
      const text = readFileSync(path, 'utf8').replace(/`[^`]*`/g, '');
      expect(text).not.toContain('<img src=x');
      // In HTML it is but text.
      if (output.endsWith('.md')) expect(text).not.toMatch(/(?<!\\)\[a\]\(javascript/);
    }
  });
});
