/** Reports: pure functions from an analysis to text. The same analysis gives the same bytes, wherever and whenever. */
export type { ReportOptions } from './options.js';
export { auditCsvHeader, auditCsvRow, renderAuditCsv } from './outputs/audit-csv.js';
export { compileHtml, renderHtml } from './outputs/html.js';
export { renderInspection, renderInspectionJson } from './outputs/inspection.js';
export { renderJobsCsv } from './outputs/jobs-csv.js';
export { renderJson } from './outputs/json.js';
export { compileMarkdown, renderMarkdown } from './outputs/markdown.js';
export { renderReconcileCsv } from './outputs/reconcile-csv.js';
export { readTeamTemplates, type TeamTemplates, TemplateError } from './outputs/team-templates.js';
export { renderTerminal } from './outputs/terminal.js';
export { renderTimelineCsv } from './outputs/timeline-csv.js';
export { renderVerification } from './outputs/verification.js';
export { createPseudonyms } from './redact/pseudonyms.js';
export { redactAnalysis } from './redact/redact-analysis.js';
export { withoutQuotes } from './without-quotes.js';
