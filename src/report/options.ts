import type { TeamTemplates } from './outputs/team-templates.js';

/** What a reader of the report may choose. Nothing here changes what is said, only how it is shown. */
export interface ReportOptions {
  /** A team's own sections. */
  readonly templates?: TeamTemplates;
  /** IANA zone or offset in which times are displayed. Default: UTC. */
  readonly tz?: string;
  /** ANSI colours in the terminal report. Default: no. */
  readonly color?: boolean;
  /** Width of the terminal report and of text charts, in characters. Default: 100. */
  readonly columns?: number;
}

export const DEFAULT_COLUMNS = 100;

/** Longest lists a report prints; what is left out is counted, and the CSV files carry all of it. */
export const CAPS = {
  /** Told in full; the table of findings lists more. */
  findings: 12,
  jobsPerFinding: 30,
  stories: 12,
  timelineRows: 200,
  tableRows: 100,
  refsPerCell: 6,
  citedLinesPerSource: 120,
  chartLanes: 10,
  chartRuns: 30,
} as const;
