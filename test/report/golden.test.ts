/** What the reports look like: a change of a golden file is read like a change of code. `vitest -u` rewrites them. */
import { describe, expect, it } from 'vitest';
import {
  renderHtml,
  renderJobsCsv,
  renderJson,
  renderMarkdown,
  renderReconcileCsv,
  renderTerminal,
  renderTimelineCsv,
} from '../../src/report/index.js';
import { FIXTURES, fixture } from './fixtures/load.js';

describe.each(FIXTURES)('%s', (name) => {
  const golden = (ending: string): string => `./golden/${name}.${ending}`;

  it('as Markdown', async () => {
    await expect(renderMarkdown(fixture(name))).toMatchFileSnapshot(golden('md'));
  });

  it('as HTML', async () => {
    await expect(renderHtml(fixture(name))).toMatchFileSnapshot(golden('html'));
  });

  it('for a terminal', async () => {
    await expect(renderTerminal(fixture(name))).toMatchFileSnapshot(golden('txt'));
  });

  it('as CSV', async () => {
    const parts = [renderJobsCsv(fixture(name)), renderTimelineCsv(fixture(name)), renderReconcileCsv(fixture(name))];
    await expect(parts.join('\r\n')).toMatchFileSnapshot(golden('csv'));
  });

  it('as the JSON it came from', () => {
    expect(JSON.parse(renderJson(fixture(name)))).toEqual(fixture(name));
  });
});

it('in another zone, in colour, on a narrow terminal', async () => {
  const text = renderTerminal(fixture('several'), { tz: 'America/St_Johns', color: true, columns: 72 });
  await expect(text).toMatchFileSnapshot('./golden/several-st-johns.ansi');
});
