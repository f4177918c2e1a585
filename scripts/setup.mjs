/**
 * Makes a clone usable: installs what package-lock.json names, checks the types of src and bundles it into dist.
 *
 * Every npm script goes through here, so that each works as the first command on a fresh clone. Node only, no packages:
 * this file runs before there are any.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(ROOT, 'dist');
const builtStamp = path.join(dist, '.built');

/** Runs a program in the project folder and waits. Returns its exit code; 1 when it could not start or was killed. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (result.error) console.error(`${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Runs a program of an installed package by its file, which needs neither a shell nor PATH. */
export function runPackage(file, args, options = {}) {
  return run(process.execPath, [path.join(ROOT, 'node_modules', file), ...args], options);
}

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Compares content, not dates: npm writes the two lock files in an order that says nothing, and a checkout of another
 * commit must be noticed. Optional packages may rightly be missing (other platforms).
 */
function installedAsLocked() {
  const locked = readJson(path.join(ROOT, 'package-lock.json'))?.packages;
  const installed = readJson(path.join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (!locked || !installed) return false;
  return Object.entries(locked).every(
    ([where, wanted]) => where === '' || wanted.optional || installed[where]?.version === wanted.version,
  );
}

/** Installs with `npm ci` unless node_modules already holds what package-lock.json names. */
export function ensureInstalled() {
  if (installedAsLocked()) return;
  console.log('Installing dependencies (npm ci) …');
  const ci = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const code = npm?.endsWith('js')
    ? run(process.execPath, [npm, ...ci])
    : run('npm', ci, { shell: process.platform === 'win32' });
  if (code !== 0) {
    console.error('npm ci failed: dependencies are not installed. Check the network and run the command again.');
    process.exit(code);
  }
}

/** Newest change under a folder, ms. Folders count too, so that a deleted file is noticed. */
function newestChange(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .map((entry) => path.join(folder, entry.name))
    .reduce((newest, file) => {
      const stat = fs.statSync(file);
      return Math.max(newest, stat.isDirectory() ? newestChange(file) : stat.mtimeMs);
    }, fs.statSync(folder).mtimeMs);
}

function isBuilt() {
  if (!fs.existsSync(builtStamp)) return false;
  const built = fs.statSync(builtStamp).mtimeMs;
  const recipe = ['tsconfig.json', path.join('scripts', 'bundle.mjs')];
  return (
    newestChange(path.join(ROOT, 'src')) <= built &&
    recipe.every((file) => fs.statSync(path.join(ROOT, file)).mtimeMs <= built)
  );
}

/** Builds into a folder of its own and swaps it in, so that a failed or concurrent build never leaves half a dist. */
export function build() {
  const startedAt = new Date();
  const fresh = path.join(ROOT, 'node_modules', '.cache', 'bullmortem', `dist-${process.pid}`);
  fs.rmSync(fresh, { recursive: true, force: true });
  const code =
    runPackage('typescript/bin/tsc', ['-p', 'tsconfig.json', '--noEmit']) ||
    run(process.execPath, [path.join(ROOT, 'scripts', 'bundle.mjs'), fresh]);
  if (code !== 0) {
    fs.rmSync(fresh, { recursive: true, force: true });
    console.error('The build failed: see the errors above. dist was left as it was.');
    process.exit(code);
  }
  const stamp = path.join(fresh, '.built');
  fs.writeFileSync(stamp, '');
  fs.utimesSync(stamp, startedAt, startedAt);
  const old = `${fresh}-old`;
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  fs.renameSync(fresh, dist);
  fs.rmSync(old, { recursive: true, force: true });
}

/** Builds unless dist is newer than src. */
export function ensureBuilt() {
  if (isBuilt()) return;
  console.log('Building (tsc, rolldown) …');
  build();
}
