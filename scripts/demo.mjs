/** Analyses one recorded incident from samples/, as a reader would, and shows how the answer begins. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

const FIRST_LINES = 40;
const incident = 'samples/incidents/starved';
const out = 'reports/demo';
fs.mkdirSync(path.join(ROOT, out), { recursive: true });

const outputs = ['report.md', 'report.html', 'analysis.json'].map((name) => `${out}/${name}`);
const args = ['analyze', `${incident}/evidence`, ...outputs.flatMap((file) => ['-o', file])];
console.log(`$ bullmortem ${args.join(' ')}\n`);
const result = spawnSync(process.execPath, ['bin/bullmortem.js', ...args], { cwd: ROOT, stdio: 'inherit' });
if (result.status !== 0) process.exit(result.status ?? 1);

const report = fs.readFileSync(path.join(ROOT, out, 'report.md'), 'utf8').split('\n');
console.log(`\n${report.slice(0, FIRST_LINES).join('\n')}`);
if (report.length > FIRST_LINES) console.log(`… ${report.length - FIRST_LINES} more lines`);
console.log(`\nThe whole answer: ${outputs.join(', ')}\nWhat really happened: ${incident}/README.md`);
