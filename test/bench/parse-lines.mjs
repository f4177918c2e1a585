/** The least any reader of JSON logs does: cut blocks into lines and give each to JSON.parse. */
import fs from 'node:fs';

const BLOCK_BYTES = 512 * 1024;
const LINE_FEED = 10;

const file = fs.openSync(process.argv[2], 'r');
const block = Buffer.alloc(BLOCK_BYTES);
let rest = Buffer.alloc(0);
let jobs = 0;
for (let read = fs.readSync(file, block); read > 0; read = fs.readSync(file, block)) {
  const bytes = Buffer.concat([rest, block.subarray(0, read)]);
  let from = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
    if (JSON.parse(bytes.toString('utf8', from, end)).jobId !== undefined) jobs++;
    from = end + 1;
  }
  rest = bytes.subarray(from);
}
console.log(jobs);
