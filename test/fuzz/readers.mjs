/** Every reader of evidence, as built. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = process.env.BULLMORTEM_DIST ?? new URL('../../dist', import.meta.url).pathname;
const load = (module) => import(pathToFileURL(path.join(path.resolve(dist), module)).href);

const { redisReaders } = await load('redis/index.js');
const { logReader } = await load('logs/index.js');

export const readers = [...redisReaders, logReader];
