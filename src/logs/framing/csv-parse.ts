/** csv-parse, read when the first table comes: most sources are none, and its eleven modules are a tenth of a start. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const csvParser = (): typeof import('csv-parse') => require('csv-parse');

export const csvParserInOneCall = (): typeof import('csv-parse/sync') => require('csv-parse/sync');
