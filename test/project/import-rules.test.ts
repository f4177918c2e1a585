/**
 * The import rules are only worth something if they see the code. dependency-cruiser reads no TypeScript file, and says
 * so nowhere, when the installed TypeScript is one it does not know: then every rule passes.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';
import { filesUnder, ROOT } from './tree.js';

const config: IConfiguration = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs'));
const rules = config.forbidden ?? [];

async function cruiseFolder(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['src'], {
    ...config.options,
    tsConfig: { fileName: path.join(ROOT, 'tsconfig.json') },
    baseDir,
    validate: true,
    ruleSet: { forbidden: rules },
  });
  if (typeof output === 'string') throw new Error(output);
  return output;
}

/** One forbidden import for each rule: files of a project that breaks it. */
const VIOLATIONS: Record<string, Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['model', 'time', 'logs', 'redis', 'records', 'casefile', 'story', 'rules', 'audit', 'report', 'intake'],
      ...['proof', 'collect', 'threads'],
    ].map((room) => [`${room}-room`, { [`src/${room}/a.ts`]: "import '../pipeline/b.js';", 'src/pipeline/b.ts': '' }]),
  ),
  'pipeline-room': { 'src/pipeline/a.ts': "import '../elsewhere/b.js';", 'src/elsewhere/b.ts': '' },
  'nothing-imports-cli': { 'src/pipeline/a.ts': "import '../cli/b.js';", 'src/cli/b.ts': '' },
  'templates-apart': { 'src/report/a.ts': "import '../../templates/b.js';", 'templates/b.ts': '' },
  'src-stands-alone': { 'src/report/a.ts': "import '../../test/b.js';", 'test/b.ts': '' },
  'commander-stays-in-cli': { 'src/pipeline/a.ts': "import 'commander';" },
  'handlebars-stays-in-report': { 'src/cli/a.ts': "import 'handlebars';" },
  'csv-parse-stays-in-logs-records-audit': { 'src/report/a.ts': "import 'csv-parse';" },
  'archives-stays-in-intake': { 'src/logs/a.ts': "import 'yauzl';" },
  're2js-stays-in-logs': { 'src/report/a.ts': "import 're2js';" },
  'date-fns-stays-in-time': { 'src/report/a.ts': "import { format } from 'date-fns'; format;" },
  'duckdb-stays-in-casefile-audit-records': { 'src/story/a.ts': "import '@duckdb/node-api';" },
  'no-cycles': { 'src/story/a.ts': "import './b.js';", 'src/story/b.ts': "import './a.js';" },
  'no-orphans': { 'src/story/a.ts': 'export const a = 1;' },
  'no-unresolvable': { 'src/story/a.ts': "import './gone.js';" },
  'no-dev-dependencies': { 'src/story/a.ts': "import 'vitest';" },
};

function broken(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'import-rules-'));
  fs.copyFileSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  for (const name of [
    'commander',
    'handlebars',
    'csv-parse',
    'date-fns',
    '@duckdb/node-api',
    're2js',
    'yauzl',
    'vitest',
  ]) {
    const stub = path.join(folder, 'node_modules', name);
    fs.mkdirSync(stub, { recursive: true });
    fs.writeFileSync(path.join(stub, 'package.json'), JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    fs.writeFileSync(path.join(stub, 'index.js'), '');
  }
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

describe('import rules', () => {
  it('see every TypeScript file of src', async () => {
    const { modules } = await cruiseFolder(ROOT);
    const seen = modules.map((m) => m.source).filter((source) => source.startsWith('src/'));
    expect(seen.sort()).toEqual(filesUnder('src', '.ts'));
    const imports = modules.filter((m) => m.source.startsWith('src/')).flatMap((m) => m.dependencies);
    expect(imports.length).toBeGreaterThan(seen.length / 2);
  });

  it('are kept', async () => {
    const { summary } = await cruiseFolder(ROOT);
    expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`)).toEqual([]);
  });

  it('have an example that breaks each of them', () => {
    expect(Object.keys(VIOLATIONS).sort()).toEqual(rules.map((rule) => rule.name ?? '').sort());
  });

  it.each(Object.entries(VIOLATIONS))('%s reports its violation', async (name, files) => {
    const folder = broken(files);
    try {
      const { summary } = await cruiseFolder(folder);
      expect(summary.violations.map((v) => v.rule.name)).toContain(name);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('say why, each of them', () => {
    expect(rules.filter((rule) => !rule.comment).map((rule) => rule.name)).toEqual([]);
  });
});
