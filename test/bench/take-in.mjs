/** What `analyze` does with a file before it judges: takes it in, into a case file. Run by the benchmark as a process. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = process.env.BULLMORTEM_DIST ?? new URL('../../dist', import.meta.url).pathname;
const load = (module) => import(pathToFileURL(path.join(path.resolve(dist), module)).href);

const { openCaseFile } = await load('casefile/case-file.js');
const { expandInputs } = await load('intake/index.js');
const { takeEvidence, threadFor } = await load('pipeline/take-evidence.js');

const inputs = await expandInputs([process.argv[2]]);
const thread = process.argv[3] === '1' ? null : threadFor(inputs);
const target = await openCaseFile();
const { sources, problems } = await takeEvidence(inputs, target, {}, thread);
await target.close();
const damage = sources.flatMap((source) => source.damage);
if (sources.length !== 1 || problems.length > 0 || damage.length > 0) {
  console.error(JSON.stringify({ problems, damage }));
  process.exit(1);
}
