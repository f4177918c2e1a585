/**
 * The directions of imports between the rooms of src/, checked in CI. ARCHITECTURE.md draws the same picture.
 *
 * Type imports count (tsPreCompilationDeps): a type that leaks through a wall is a wall that is gone.
 * test/project/import-rules.test.ts proves that these rules see every file and report every violation.
 */

/** Rule of one room: it may import itself and the rooms named, nothing else of ours. */
const room = (name, mayImport, comment) => ({
  name: `${name}-room`,
  comment,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: '^src/', pathNot: `^src/(${[name, ...mayImport].join('|')})/` },
});

/** A library with one job stays in the rooms whose job that is. */
const library = (name, path, rooms, comment) => ({
  name: `${name}-stays-in-${rooms.join('-')}`,
  comment,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${rooms.join('|')})/` },
  to: { path: `node_modules/${path}` },
});

const READERS = ['logs', 'redis', 'records'];
const STAGES = [
  'intake',
  'threads',
  ...READERS,
  'casefile',
  'story',
  'rules',
  'audit',
  'proof',
  'report',
  'time',
  'model',
];

module.exports = {
  forbidden: [
    room('model', [], 'The vocabulary: everything may speak it because it knows nothing of who speaks.'),
    room('time', [], 'Times are read and written the same way everywhere, so this room depends on no one.'),
    room('logs', ['model', 'time'], 'A log reader must not know Redis or the case file: it gives events to a sink.'),
    room(
      'redis',
      ['model', 'time'],
      'A snapshot reader must not know logs or the case file: it gives events and facts to a sink.',
    ),
    room('records', ['model', 'time'], 'A records reader must not know what the records will be compared with.'),
    room('intake', [...READERS, 'time', 'model'], 'Intake opens and reads; where events are kept is behind the sink.'),
    room(
      'threads',
      ['intake', 'casefile', 'model'],
      'A thread runs a reader and makes rows of what it finds; it joins these two and knows nothing that comes after.',
    ),
    room('casefile', ['model'], 'The store can be replaced only while it knows no reader and no judgement.'),
    room(
      'story',
      ['model', 'time'],
      'A story is built from events alone, so that it can be tested with events written by hand.',
    ),
    room(
      'rules',
      ['story', 'model'],
      'A rule judges a story; if it could see the evidence or the report, it would judge those.',
    ),
    room(
      'audit',
      ['casefile', 'story', 'time', 'model'],
      'Records are compared with executions in SQL, without rules in between.',
    ),
    room('collect', [], 'It prints a script and reads nothing: names in, text out.'),
    room('proof', ['story', 'model'], 'A proof asks the stories of a recording; findings come to it as analyses.'),
    room(
      'report',
      ['model', 'time'],
      'A report reads an Analysis and nothing else, so that a kept one renders again without the evidence.',
    ),
    room('pipeline', STAGES, 'The pipeline joins the stages and knows no command line.'),
    {
      name: 'nothing-imports-cli',
      comment: 'Exit codes, options and progress live in cli; what others could want from there belongs elsewhere.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'templates-apart',
      comment: 'Templates are read as text by report, never imported: they ship as they are and hold no code.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^templates/' },
    },
    {
      name: 'src-stands-alone',
      comment: 'What ships must not lean on tests, scripts, samples or its own output.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|samples|bin|dist)/' },
    },
    library('commander', 'commander/', ['cli'], 'The command line is one adapter of the pipeline.'),
    library('handlebars', 'handlebars/', ['report'], 'Only report/outputs turns values into text, and it escapes.'),
    library('csv-parse', 'csv-parse/', ['logs', 'records', 'audit'], 'Tables are taken apart where evidence is read.'),
    library(
      'archives',
      '(tar|yauzl|fzstd)/',
      ['intake'],
      'Packings come off where inputs are opened; readers see plain bytes.',
    ),
    library('re2js', 're2js/', ['logs'], "A team's patterns run on hostile lines: in one place, in linear time."),
    library('date-fns', '(date-fns|@date-fns)/', ['time'], 'One room decides what a timestamp means.'),
    library('duckdb', '@duckdb/', ['casefile', 'audit', 'records'], 'The engine stays behind one small interface.'),
    {
      name: 'no-cycles',
      comment: 'Files that import each other in a circle can only be understood together.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: { orphan: true, path: '^src/' },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that resolves to nothing would be invisible to every rule above.',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'The published package installs no devDependencies.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
