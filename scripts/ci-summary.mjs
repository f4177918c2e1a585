/**
 * Prints what .ci/run ends with: "N passed, N failed", from vitest's own JSON result.
 *
 * Arguments: the checks that failed (`run lint`, `test` …). A failed check other than the tests counts as one failure. A
 * test step that failed without a failed test (a file that does not load, a program missing) counts as one, too.
 */
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

const failedChecks = process.argv.slice(2);
const file = path.join(ROOT, 'node_modules', '.cache', 'bullmortem', 'test-results.json');
const tests = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;

const passed = tests?.numPassedTests ?? 0;
const unloaded = (tests?.testResults ?? []).filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
let failed = (tests?.numFailedTests ?? 0) + unloaded.length;
if (failed === 0 && (failedChecks.includes('test') || tests === undefined)) failed = 1;
failed += failedChecks.filter((check) => check !== 'test').length;

for (const check of failedChecks) console.log(`failed: npm ${check}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
