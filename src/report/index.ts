/** Reports: pure functions from an analysis to text. The same analysis gives the same bytes, wherever and whenever. */
export type { ReportOptions } from './options.js';
export { auditCsvHeader, auditCsvRow, renderAuditCsv } from './outputs/audit-csv.js';
export { renderHtml } from './outputs/html.js';
export { renderInspection, renderInspectionJson } from './outputs/inspection.js';
export { renderJobsCsv } from './outputs/jobs-csv.js';
export { renderJson } from './outputs/json.js';
export { renderMarkdown } from './outputs/markdown.js';
export { renderReconcileCsv } from './outputs/reconcile-csv.js';
export { renderTerminal } from './outputs/terminal.js';
export { renderTimelineCsv } from './outputs/timeline-csv.js';
