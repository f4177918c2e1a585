import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disk, expandInputs, nodeDisk, problemLine } from '../../src/intake/index.js';
import { folderWith } from './helpers.js';

const paths = async (inputs: string[], cwd: string, disk: Disk = nodeDisk): Promise<string[]> =>
  (await expandInputs(inputs, { cwd, disk })).files.map((file) => file.path);
const lines = async (inputs: string[], cwd: string, disk: Disk = nodeDisk): Promise<string[]> =>
  (await expandInputs(inputs, { cwd, disk })).problems.map(problemLine);

const failing = (code: string, call: keyof Disk, ending: string): Disk => ({
  ...nodeDisk,
  [call]: async (path: string | Buffer) => {
    if (path.toString().endsWith(ending)) throw Object.assign(new Error(code), { code });
    return (nodeDisk[call] as (p: string | Buffer) => Promise<unknown>)(path);
  },
});

describe('files and folders', () => {
  it('lists a folder with all below it, sorted by code units', async () => {
    const cwd = folderWith({ 'e/b.log': 'b', 'e/B.log': 'B', 'e/a/z.log': 'z', 'e/ä.log': 'ä', 'e/a.log': 'a' });
    expect(await paths(['e'], cwd)).toEqual(['B.log', 'a.log', 'a/z.log', 'b.log', 'ä.log']);
    expect(await lines(['e'], cwd)).toEqual([]);
  });

  it('says size, time and name of a file', async () => {
    const cwd = folderWith({ 'e/a.log': 'hello' });
    const [file] = (await expandInputs(['e/a.log'], { cwd })).files;
    expect(file).toMatchObject({ kind: 'file', path: 'a.log', fileName: 'a.log', bytes: 5, named: true });
    expect(file).toMatchObject({ absolutePath: join(cwd, 'e/a.log'), modifiedMs: expect.any(Number) });
  });

  it('calls the same evidence the same from anywhere, in any spelling and order', async () => {
    const cwd = folderWith({ 'e/logs/a.log': 'a', 'e/redis/dump.rdb': 'r', 'other/x': '' });
    const e = join(cwd, 'e');
    const expected = ['logs/a.log', 'redis/dump.rdb'];
    for (const [inputs, from] of [
      [['e'], cwd],
      [['e/'], cwd],
      [['.'], e],
      [['./'], e],
      [['..'], join(e, 'logs')],
      [[e], '/'],
      [['e/logs', 'e/redis'], cwd],
      [['e/redis/', './e/logs/a.log'], cwd],
      [['../e/redis/dump.rdb', `${e}/logs`], join(cwd, 'other')],
      [[`${e}/../e/redis`, '../logs'], join(e, 'logs')],
      [['e', 'e/logs/a.log', 'e/logs'], cwd],
      [['e/*'], cwd],
      [['e/**'], cwd],
      [['**/*.{log,rdb}'], e],
    ] as const)
      expect([inputs, await paths([...inputs], from)]).toEqual([inputs, expected]);
  });

  it('takes the folder of a single file, the folder itself of a folder', async () => {
    const cwd = folderWith({ 'e/logs/a.log': 'a', 'e/logs/b.log': 'b' });
    expect(await paths(['e/logs/a.log'], cwd)).toEqual(['a.log']);
    expect(await paths(['e'], cwd)).toEqual(['logs/a.log', 'logs/b.log']);
    expect(await paths(['e/logs/b.log', 'e/logs/a.log'], cwd)).toEqual(['a.log', 'b.log']);
  });

  it('leaves hidden entries out, says so, and reads them when named', async () => {
    const cwd = folderWith({ 'e/a.log': 'a', 'e/.secret.log': 's', 'e/.pm2/logs/b.log': 'b', 'e/.DS_Store': 'x' });
    expect(await paths(['e'], cwd)).toEqual(['a.log']);
    expect(await lines(['e'], cwd)).toEqual(['2 hidden entries left out in the folder: e; name them to read them']);
    expect(await paths(['e/.pm2', 'e/.secret.log'], cwd)).toEqual(['.pm2/logs/b.log', '.secret.log']);
  });

  it('keeps hostile names', async () => {
    const names = [
      'a\nb.log',
      '\x1b[31mred.log',
      '<img src=x>.log',
      `${'n'.repeat(251)}.log`,
      '-',
      'C:\\x.log',
      ' .log',
    ];
    const cwd = folderWith(Object.fromEntries(names.map((name) => [`e/${name}`, name])));
    expect(await paths(['e'], cwd)).toEqual([...names].sort());
    expect(await paths(['./-'], join(cwd, 'e'))).toEqual(['-']);
    expect(await lines(['no\nsuch\x1b[2J\u202e'], cwd)).toEqual([
      'no such file or folder: no\\nsuch\\u{1b}[2J\\u{202e}; check the path',
    ]);
  });

  it('reads a file whose name is no UTF-8', async () => {
    const cwd = folderWith({ 'e/a.log': 'a' });
    mkdirSync(Buffer.concat([Buffer.from(`${cwd}/e/d`), Buffer.from([0xe9])]));
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/e/d`), Buffer.from([0xe9]), Buffer.from('/x.log')]), 'latin');
    const { files, problems } = await expandInputs(['e'], { cwd });
    expect(problems).toEqual([]);
    expect(files.map((file) => file.path)).toEqual(['a.log', 'd\\xe9/x.log']);
    const [, file] = files;
    expect(file?.kind === 'file' && (await nodeDisk.stat(file.diskPath)).size).toBe(5);
  });
});

describe('globs', () => {
  it('prefers the literal meaning of a path that exists', async () => {
    const cwd = folderWith({ 'a[1].log': 'literal', 'a1.log': 'glob', 'b(2).log': 'b' });
    expect(await paths(['a[1].log'], cwd)).toEqual(['a[1].log']);
    expect(await paths(['b(2).log'], cwd)).toEqual(['b(2).log']);
    expect(await paths(['a[12].log'], cwd)).toEqual(['a1.log']);
  });

  it('gives what the shell would give, folders with all they hold', async () => {
    const cwd = folderWith({ 'e/w1/x.log': '1', 'e/w2/x.log': '2', 'e/readme': '' });
    expect(await paths(['e/w*'], cwd)).toEqual(await paths(['e/w1', 'e/w2'], cwd));
    expect(await paths([join(cwd, 'e/w*')], '/')).toEqual(['w1/x.log', 'w2/x.log']);
  });

  it('says when nothing matches', async () => {
    const cwd = folderWith({ 'e/a.log': 'a' });
    expect(await lines(['e/*.gz', 'e/{b,c}.log'], cwd)).toEqual([
      'no file matches: e/*.gz; check the pattern and the folder it starts from',
      'no file matches: e/{b,c}.log; check the pattern and the folder it starts from',
    ]);
  });

  it('matches a folder that holds nothing without a word', async () => {
    const cwd = folderWith({ 'e/a.log': 'a' });
    mkdirSync(join(cwd, 'e/empty'));
    expect(await lines(['e/**'], cwd)).toEqual([]);
  });
});

describe('one file named in several ways', () => {
  it('counts once, by its own name', async () => {
    const cwd = folderWith({ 'e/real.log': 'r', 'e/z/q.log': 'q' });
    symlinkSync('real.log', join(cwd, 'e/a-link.log'));
    symlinkSync('z', join(cwd, 'e/b'));
    expect(await paths(['e'], cwd)).toEqual(['real.log', 'z/q.log']);
    expect(await paths(['e/real.log', './e/real.log', join(cwd, 'e/real.log'), 'e/a-link.log'], cwd)).toEqual([
      'real.log',
    ]);
  });

  it('keeps the name of a link where only the link was named', async () => {
    const cwd = folderWith({ 'pods/uid/0.log': 'x', 'containers/keep': '' });
    symlinkSync('../pods/uid/0.log', join(cwd, 'containers/mailer_default_main.log'));
    expect(await paths(['containers/mailer_default_main.log'], cwd)).toEqual(['mailer_default_main.log']);
    expect(await paths(['containers'], cwd)).toEqual(['keep', 'mailer_default_main.log']);
    expect(await paths(['containers', 'pods'], cwd)).toEqual(['containers/keep', 'pods/uid/0.log']);
  });

  it('names a linked folder the same whichever order it is given in', async () => {
    const cwd = folderWith({ 'data/x/a.log': 'a', 'e/own.log': 'o' });
    symlinkSync(join(cwd, 'data/x'), join(cwd, 'e/link'));
    expect(await paths(['e'], cwd)).toEqual(['link/a.log', 'own.log']);
    const both = ['data/x/a.log', 'e/own.log'];
    expect(await paths(['e', 'data'], cwd)).toEqual(both);
    expect(await paths(['data', 'e'], cwd)).toEqual(both);
  });

  it('ends in loops of links, and in a farm of them', async () => {
    const cwd = folderWith({ 'e/a/x.log': 'x' });
    symlinkSync('..', join(cwd, 'e/a/up'));
    symlinkSync('self', join(cwd, 'e/self'));
    for (let i = 0; i < 12; i++) {
      mkdirSync(join(cwd, `e/f${i}`));
      for (let j = 0; j < 12; j++) symlinkSync(`../f${j}`, join(cwd, `e/f${i}/l${j}`));
    }
    expect(await paths(['e'], cwd)).toEqual(['a/x.log']);
    expect(await paths(['e/a/**/*.log'], cwd)).toEqual(['x.log']);
    expect(await lines(['e'], cwd)).toEqual([
      'a symbolic link that leads back to itself: e/self; name the file it should lead to',
    ]);
  });
});

describe('standard input', () => {
  it('is a source called stdin, once', async () => {
    const cwd = folderWith({ 'a.log': 'a', 'z.log': 'z' });
    expect(await paths(['-', 'z.log', '-', 'a.log'], cwd)).toEqual(['a.log', 'stdin', 'z.log']);
    expect(await paths(['-'], cwd)).toEqual(['stdin']);
  });

  it('is told from a file of that name', async () => {
    expect(await paths(['stdin', '-'], folderWith({ stdin: 'a' }))).toEqual(['(stdin)', 'stdin']);
  });
});

describe('what cannot be read', () => {
  it('comes back as one line each, in one order, and stops nothing', async () => {
    const cwd = folderWith({ 'a.log': 'a' });
    mkdirSync(join(cwd, 'empty'));
    const inputs = ['missing.log', 'a.log', '', 'empty', `${'x'.repeat(5000)}`, 'a.log/b'];
    const result = await expandInputs(inputs, { cwd });
    expect(result.files.map((file) => file.path)).toEqual(['a.log']);
    expect(result.problems.map(problemLine)).toEqual([
      'an empty name was given; name a file, a folder, a glob or - for stdin',
      'no such file or folder: a.log/b; check the path',
      'no file in the folder: empty; check the path',
      'no such file or folder: missing.log; check the path',
      expect.stringMatching(/^the name is too long for this system: x{150}…x{150}; /),
    ]);
    expect((await expandInputs(inputs.reverse(), { cwd })).problems).toEqual(result.problems);
    expect(result.problems.every((problem) => problem.named)).toBe(true);
  });

  it('includes a folder with nothing but hidden files', async () => {
    const cwd = folderWith({ 'e/.a.log': 'a' });
    expect(await lines(['e'], cwd)).toEqual([
      'no file in the folder: e; hidden files are left out, name them to read them',
    ]);
  });

  it('includes pipes, sockets and devices, without waiting for them', async () => {
    const cwd = folderWith({ 'e/a.log': 'a' });
    execFileSync('mkfifo', [join(cwd, 'e/p.log')]);
    const server = createServer().listen(join(cwd, 'e/s.sock'));
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const { files, problems } = await expandInputs(['e', 'e/p.log', '/dev/null'], { cwd });
      expect(files.map((file) => file.path)).toEqual(['a.log']);
      expect(problems.map((problem) => [problemLine(problem), problem.named])).toEqual([
        ['a device, not a file: /dev/null; to read what comes out of it, pipe it in and name -', true],
        ['a named pipe, not a file: e/p.log; to read what comes out of it, pipe it in and name -', true],
        ['a socket, not a file: e/s.sock; leave it out', false],
      ]);
    } finally {
      server.close();
    }
  });

  it('includes links that lead nowhere', async () => {
    const cwd = folderWith({ 'e/a.log': 'a' });
    symlinkSync('gone', join(cwd, 'e/l.log'));
    expect(await lines(['e'], cwd)).toEqual([
      'a symbolic link that leads nowhere: e/l.log; name the file it should lead to',
    ]);
  });

  it('includes folders without permission, named and found', async () => {
    const cwd = folderWith({ 'e/a.log': 'a', 'e/locked/b.log': 'b' });
    const disk = failing('EACCES', 'readdir', '/locked');
    const hint = 'change its permissions, or run as a user who may read it';
    expect(await paths(['e'], cwd, disk)).toEqual(['a.log']);
    expect(await lines(['e'], cwd, disk)).toEqual([`no permission to read: e/locked; ${hint}`]);
    expect(await lines(['e/locked'], cwd, disk)).toEqual([`no permission to read: e/locked; ${hint}`]);
    expect(await lines(['e/a.log'], cwd, failing('EACCES', 'stat', 'a.log'))).toEqual([
      `no permission to read: e/a.log; ${hint}`,
    ]);
    expect(await lines(['e'], cwd, failing('EIO', 'realpath', '/e'))).toEqual([
      'cannot be read (EIO): e; copy it to a local disk and name the copy',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('includes a folder of mode 000', async () => {
    const cwd = folderWith({ 'e/locked/b.log': 'b' });
    chmodSync(join(cwd, 'e/locked'), 0);
    expect(await lines(['e'], cwd)).toEqual([expect.stringContaining('no permission to read: e/locked')]);
    chmodSync(join(cwd, 'e/locked'), 0o700);
  });
});

it('counts hard links as files of their own: equal content is told when it is read', async () => {
  const cwd = folderWith({ 'e/a.log': 'a' });
  linkSync(join(cwd, 'e/a.log'), join(cwd, 'e/b.log'));
  expect(await paths(['e'], cwd)).toEqual(['a.log', 'b.log']);
});

it('shows no path of the machine', async () => {
  const cwd = folderWith({ 'e/a.log': 'a', 'e/sub/b.log': 'b' });
  symlinkSync('gone', join(cwd, 'e/sub/l.log'));
  const { files, problems } = await expandInputs([relative('/', join(cwd, 'e'))], { cwd: '/' });
  expect(files.map((file) => file.path).join()).not.toContain(basename(cwd));
  expect(problems).toHaveLength(1);
});
