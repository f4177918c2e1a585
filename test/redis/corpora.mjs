/**
 * Compares our reading of every `*.rdb` in a folder with the `*.json` beside it, as HDT3213/rdb writes it.
 *
 *   npm run corpora -- <folder>
 *
 * Such collections are other projects' and are not part of this one. Files without JSON must still read to their end.
 */
import { deepStrictEqual } from 'node:assert';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rdbJson } from './rdb-json.mjs';

const folder = process.argv[2];
if (!folder) {
  console.error('usage: npm run corpora -- <folder with *.rdb and *.json>');
  process.exit(2);
}
const dist = process.env.BULLMORTEM_DIST ?? new URL('../../dist', import.meta.url).pathname;
const { readRdb, RdbInput } = await import(pathToFileURL(join(resolve(dist), 'redis/rdb/index.js')).href);

/** What both tools can say: sizes and encodings are left out, messages of a stream's nodes become one list. */
function expected(theirs) {
  const out = {};
  for (const one of theirs) {
    if (one.type === 'aux' || one.type === 'functions') continue;
    const { size, encoding, isV2, version, entries, lru, lfu, ...rest } = one;
    if (one.type === 'stream') {
      rest.messages = entries.flatMap((node) => node.msgs);
      // Before version 3 no time of activity is stored; the other tool repeats the time seen.
      const consumer = ({ activeTime, pending = [], ...stored }) => ({
        ...stored,
        pending,
        ...(version >= 3 ? { activeTime } : {}),
      });
      rest.groups = (one.groups ?? []).map((group) => ({
        ...group,
        pending: group.pending ?? [],
        consumers: (group.consumers ?? []).map(consumer),
      }));
    } else if (entries) rest.entries = entries;
    if (one.expiration) rest.expiration = Date.parse(one.expiration);
    if (one.expire) rest.expire = Object.fromEntries(Object.entries(one.expire).filter(([, ms]) => ms > 0));
    out[`${one.db} ${one.key}`] = rest;
  }
  return out;
}

let failed = 0;
const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.rdb'))
  .sort();
for (const file of files) {
  const path = join(folder, file);
  const json = path.replace(/\.rdb$/, '.json');
  const { handler, keys, aux, functions } = rdbJson();
  const result = await readRdb(new RdbInput(createReadStream(path)), handler);
  const ours = Object.fromEntries(keys.map((key) => [`${key.db} ${key.key}`, key]));
  const problems = [];
  if (result.ended !== 'whole') problems.push(`${result.ended} at ${result.offset}: ${result.problem}`);
  if (result.checksum === 'wrong') problems.push('checksum does not match');
  let compared = 'no JSON beside it';
  if (existsSync(json)) {
    const theirs = JSON.parse(readFileSync(json, 'utf8'));
    compared = `${theirs.length} compared`;
    try {
      deepStrictEqual(ours, expected(theirs));
      const theirAux = theirs.filter((one) => one.type === 'aux').map((one) => [one.key, one.value]);
      if (theirAux.length > 0) deepStrictEqual(aux, theirAux);
      const theirFunctions = theirs.filter((one) => one.type === 'functions').map((one) => one.functionsLua);
      if (theirFunctions.length > 0) deepStrictEqual(functions, theirFunctions);
    } catch (error) {
      problems.push(error.message);
    }
  }
  if (problems.length > 0) failed++;
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${basename(file)}: ${keys.length} keys, ${compared}, checksum ${result.checksum}`,
  );
  for (const problem of problems) console.log(problem.replace(/^/gm, '     '));
}
console.log(`${files.length - failed} of ${files.length} agree`);
process.exit(failed > 0 ? 1 : 0);
