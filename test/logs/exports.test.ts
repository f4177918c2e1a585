/** An incident whose logs went through a store, and came back newest first or in one line, is still the same incident. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { analyze } from '../../src/pipeline/analyze.js';
import { createTimeReader } from '../../src/time/index.js';
import { ROOT } from '../project/tree.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exports-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Line {
  readonly stream: string;
  readonly text: string;
  readonly t: number;
}

/** The lines of each log with the time at which a collector would have seen them: rising, a little after their own. */
function linesOf(logs: string): Line[][] {
  const time = createTimeReader({ assumeTz: 'UTC' });
  return fs.readdirSync(logs).map((file) => {
    let t = 0;
    const lines = fs.readFileSync(path.join(logs, file), 'utf8').split('\n').filter(Boolean);
    return lines.map((text) => {
      const own = /"time":(\d{13})|"timestamp":"([^"]+)"| {2}- (.{20,24}[AP]M)/.exec(text);
      const hit = own && time.value(own[1] ?? own[2] ?? own[3]);
      t = Math.max(t + 1, (hit?.t ?? 0) + 2);
      return { stream: file.replace(/\.log$/, ''), text, t };
    });
  });
}

const merged = (logs: Line[][]): Line[] => logs.flat().sort((a, b) => a.t - b.t);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const EXPORTS: Readonly<Record<string, (logs: Line[][]) => string>> = {
  'Loki, newest first, in one line': (logs) => {
    const values = (lines: Line[]): string[][] => lines.map(({ t, text }) => [`${t}000000`, text]).reverse();
    const result = logs.map((lines) => ({ stream: { pod: lines[0]?.stream }, values: values(lines) }));
    return JSON.stringify({ status: 'success', data: { resultType: 'streams', result } });
  },
  'CloudWatch, laid out': (logs) => {
    const events = merged(logs).map(({ stream, text, t }) => ({ logStreamName: stream, timestamp: t, message: text }));
    return JSON.stringify({ events }, null, 2);
  },
  'a table, newest first': (logs) =>
    merged(logs)
      .reverse()
      .map(({ stream, text, t }) => `${new Date(t).toISOString()},${stream},${quoted(text)}`)
      .join('\n')
      .replace(/^/, 'timestamp,pod,message\n'),
  'containers in Elasticsearch, newest first': (logs) => {
    const hits = merged(logs).map(({ stream, text, t }) => {
      const at = new Date(t).toISOString();
      const log = JSON.stringify({ log: `${text}\n`, stream: 'stdout', time: at });
      return { _index: 'logs', _source: { '@timestamp': at, log, kubernetes: { pod_name: stream } } };
    });
    return JSON.stringify({ hits: { hits: hits.reverse() } }, null, 1);
  },
};

/** What is firmly said of each job. */
async function verdicts(evidence: string): Promise<string[]> {
  const { analysis } = await analyze([evidence], { version: '0.0.0' });
  return analysis.findings
    .filter(({ status }) => status === 'shown' || status === 'likely')
    .flatMap(({ boundary, cause, jobs }) =>
      jobs.map(({ id, duplicate, executions }) => `${id} ${boundary} ${cause} ${duplicate} ${executions}`),
    )
    .sort();
}

describe.each(['crash-before-ack', 'starved'])('%s', (name) => {
  const given = path.join(ROOT, 'samples/incidents', name, 'evidence');

  it.each(Object.keys(EXPORTS))('is told from %s', async (kind) => {
    const evidence = fs.mkdtempSync(path.join(folder, 'evidence-'));
    fs.cpSync(given, evidence, { recursive: true });
    const logs = path.join(evidence, 'logs');
    const text = EXPORTS[kind]?.(linesOf(logs)) ?? '';
    fs.rmSync(logs, { recursive: true });
    fs.writeFileSync(path.join(evidence, 'export.txt'), `${text}\n`);
    const said = await verdicts(evidence);
    expect(said.length).toBeGreaterThan(0);
    expect(said).toEqual(await verdicts(given));
  });
});
