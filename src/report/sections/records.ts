/** Idempotency records: what was done twice, in numbers and key by key, and what the records alone cannot tell. */
import { RECORD_VERDICT_NAMES, RECORD_VERDICTS, type RecordKey, type RecordsAudit } from '../../model/records-audit.js';
import type { ReportContext } from '../context.js';
import { countText, plural } from '../durations.js';
import { CAPS } from '../options.js';
import { type Cell, cell, codeCell, codeList, columns, type TableView, table, text } from '../parts.js';

export interface RecordsView {
  readonly sentence: string;
  readonly verdicts: TableView;
  readonly keys: TableView;
  readonly rows: TableView;
  readonly queues: TableView;
  readonly stores: TableView;
  readonly columns: TableView;
  readonly cannotTell: readonly string[];
}

const MOST_JOBS = 5;

/** Undefined where no records were given. */
export function records(context: ReportContext): RecordsView | undefined {
  const audit = context.analysis.records;
  if (audit === undefined) return undefined;
  return {
    sentence: recordsSentence(audit),
    verdicts: verdictsTable(audit),
    keys: keysTable(audit, context),
    rows: rowsTable(audit, context),
    queues: queuesTable(audit, context),
    stores: storesTable(audit, context),
    columns: columnsTable(audit),
    cannotTell: [...new Set(audit.stores.flatMap((store) => store.cannotTell))],
  };
}

/** What the records come to, in one sentence. */
export function recordsSentence({ totals, verdicts }: RecordsAudit): string {
  const told = RECORD_VERDICT_NAMES.flatMap((name) => {
    const count = verdicts[name];
    return count === undefined ? [] : [`${countText(count)} ${VERDICT_WORDS[name]}`];
  });
  const of = `${plural(totals.rows, 'row')} of ${plural(totals.keys, 'key')}`;
  const seen = totals.withEvidence > 0 ? ` (${countText(totals.withEvidence)} of them in the evidence, too)` : '';
  return told.length === 0
    ? `${of}${seen}: none was done twice, as far as they tell.`
    : `${of}${seen}: ${told.join(', ')}.`;
}

/** Words for a number of keys. */
export const VERDICT_WORDS: Readonly<Record<(typeof RECORD_VERDICT_NAMES)[number], string>> = {
  'done-twice': 'done twice',
  overlapping: 'worked on twice at once',
  regressed: 'begun again behind their checkpoint',
  'enqueued-twice': 'enqueued twice',
  'fingerprint-differs': 'used for different requests',
  'key-holds-attempt': 'with the attempt in the key',
  'states-differ': 'told otherwise by the queue',
  'execution-without-record': 'run without a record',
  'record-without-execution': 'recorded without a run',
  'unfinished-or-step': 'begun and not ended',
  retried: 'retried',
};

const REST = 'audit.csv';

function verdictsTable({ verdicts, totals }: RecordsAudit): TableView {
  const rows = RECORD_VERDICT_NAMES.flatMap((name) => {
    const count = verdicts[name];
    return count === undefined ? [] : [[codeCell(name), cell(countText(count)), cell(RECORD_VERDICTS[name])]];
  });
  const caption = `Verdicts on ${plural(totals.keys, 'key')}; one key may have several`;
  return table(caption, columns('Verdict', '#Keys', 'Means'), rows, CAPS.tableRows, REST);
}

function keysTable({ keys, keysLeftOut }: RecordsAudit, context: ReportContext): TableView {
  const heads = columns('Key', 'Verdicts', 'What is said', 'Jobs', '#Rows', '#Ended', 'Finding', 'Records');
  const shown = table(
    'Keys, the gravest first',
    heads,
    keys.map((key) => keyRow(key, context)),
    CAPS.tableRows,
    REST,
  );
  const left = keysLeftOut + Math.max(0, keys.length - CAPS.tableRows);
  return {
    ...shown,
    more: left > 0 ? `${plural(left, 'more key')} with a verdict: ${REST} of the audit lists all.` : '',
  };
}

function keyRow(key: RecordKey, context: ReportContext): Cell[] {
  const names = [key.scope, key.key].filter((part) => part !== undefined);
  const jobs = key.jobs.slice(0, MOST_JOBS).flatMap((id, i): Cell => {
    const shown = context.jobPart({ queue: key.queue, id });
    return i === 0 ? [shown] : [text(', '), shown];
  });
  return [
    key.key === undefined ? cell('none') : codeCell(names.join(' ')),
    codeList(key.verdicts.map(({ verdict }) => verdict)),
    cell(key.verdicts.map(({ says }) => says).join('; ')),
    key.jobs.length > MOST_JOBS ? [...jobs, text(` and ${key.jobs.length - MOST_JOBS} more`)] : jobs,
    cell(countText(key.rows)),
    cell(countText(key.ended)),
    findingsCell(key, context),
    codeList(
      key.shown.map((row) => context.ref(row.ref)),
      CAPS.refsPerCell,
    ),
  ];
}

function findingsCell(key: RecordKey, context: ReportContext): Cell {
  const found = context.analysis.findings.filter((finding) => key.findings.includes(finding.id));
  return found.flatMap((finding, i): Cell => {
    const name = context.findingPart(finding);
    return i === 0 ? [name] : [text(', '), name];
  });
}

/** Rows of the gravest keys, side by side, with the execution that each records. */
function rowsTable({ keys }: RecordsAudit, context: ReportContext): TableView {
  const heads = columns(
    'Key',
    'Job',
    '#Attempt',
    'Worker',
    'Status',
    'Began',
    'Ended',
    '#Resumed from',
    '#Checkpoint',
    '#Execution',
    'Record',
  );
  const rows = keys
    .slice(0, CAPS.stories)
    .flatMap((key) =>
      key.shown.map((row): Cell[] => [
        codeCell(key.key),
        codeCell(row.job),
        cell(row.attempt === undefined ? '' : String(row.attempt)),
        codeCell(row.worker),
        cell(row.status),
        cell(row.started === undefined ? '' : context.clock.iso(row.started)),
        cell(row.completed === undefined ? '' : context.clock.iso(row.completed)),
        cell(row.resumed === undefined ? '' : String(row.resumed)),
        cell(row.checkpoint === undefined ? '' : String(row.checkpoint)),
        cell(row.execution === undefined ? '' : String(row.execution)),
        codeCell(context.ref(row.ref)),
      ]),
    );
  return table(
    `Rows of the gravest keys, times in ${context.clock.zone} by the clocks of those who wrote them`,
    heads,
    rows,
    CAPS.tableRows,
    'analysis.json',
  );
}

function queuesTable({ queues }: RecordsAudit, context: ReportContext): TableView {
  const heads = columns('Queue', '#Rows', '#Keys', '#Ended', '#Failed', '#Begun', 'From', 'To', 'Verdicts');
  const rows = queues.map((queue): Cell[] => [
    queue.queue === undefined ? cell('none named') : codeCell(queue.queue),
    ...[queue.rows, queue.keys, queue.ended, queue.failed, queue.begun].map((count) => cell(countText(count))),
    cell(queue.from === undefined ? '' : context.clock.iso(queue.from)),
    cell(queue.to === undefined ? '' : context.clock.iso(queue.to)),
    cell(
      RECORD_VERDICT_NAMES.flatMap((name) => {
        const count = queue.verdicts[name];
        return count === undefined ? [] : [`${name} ${countText(count)}`];
      }).join(', '),
    ),
  ]);
  return table('Records by queue', heads, rows, CAPS.tableRows, 'analysis.json');
}

const KEEPS = { 'row-per-run': 'one a run', 'row-per-key': 'one a key', unknown: 'not known' } as const;

function storesTable({ stores }: RecordsAudit, context: ReportContext): TableView {
  const heads = columns('Sources', 'Format', 'Table', '#Rows', '#Read by csv-parse', '#Left out', 'Keeps rows', 'Why');
  const rows = stores.map((store): Cell[] => [
    codeList(
      store.sources.map((source) => context.ref({ source })),
      CAPS.refsPerCell,
    ),
    cell(store.format),
    codeCell(store.name),
    ...[store.rows, store.salvaged, store.rejected].map((count) => cell(countText(count))),
    cell(KEEPS[store.keeps]),
    cell(store.why),
  ]);
  return table('Stores of records', heads, rows, CAPS.tableRows, 'analysis.json');
}

function columnsTable({ stores }: RecordsAudit): TableView {
  const heads = columns('Store', 'Column', 'Taken for', 'Because of');
  const rows = stores.flatMap((store) =>
    store.columns.map(({ column, role, basis }): Cell[] => [
      codeCell(store.name ?? store.sources[0]),
      codeCell(column),
      cell(role),
      cell({ name: 'its name', shape: 'what its values look like', given: 'what was given' }[basis]),
    ]),
  );
  return table('Columns; --columns overrides them', heads, rows, CAPS.tableRows, 'analysis.json');
}
