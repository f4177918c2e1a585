/** What Redis said of itself and of its queues where somebody asked, in the order of sources and questions. */
import type { Ref } from '../model/analysis.js';
import type { CaseFile, Row } from './case-file.js';

const refOf = (row: Row): Ref => ({
  source: String(row.path),
  ...(Number(row.off) >= 0 ? { offset: Number(row.off) } : {}),
});

export interface ServerAnswer {
  readonly field: string;
  readonly value: string;
  /** When the answers of its source were given, ms on Redis' clock. */
  readonly momentMs?: readonly [number, number];
  readonly ref: Ref;
}

export async function readServerAnswers(file: CaseFile): Promise<ServerAnswer[]> {
  const rows = await file.query(`
    SELECT DISTINCT s.path, v.off, v.field, v.value, a.from_ms, a.to_ms FROM server v JOIN sources s ON s.id = v.source
    LEFT JOIN askings a ON a.source = v.source ORDER BY s.path, v.off, v.field, v.value`);
  return rows.map((row) => ({
    field: String(row.field),
    value: String(row.value),
    ...(row.from_ms === null ? {} : { momentMs: [Number(row.from_ms), Number(row.to_ms)] as const }),
    ref: refOf(row),
  }));
}

export interface AskedMoment {
  readonly momentMs: readonly [number, number];
  readonly ref: Ref;
}

/** When the answers of each transcript were given, ms on Redis' clock. */
export async function readAskedMoments(file: CaseFile): Promise<AskedMoment[]> {
  const rows = await file.query(`
    SELECT s.path, -1 AS off, a.from_ms, a.to_ms FROM askings a JOIN sources s ON s.id = a.source ORDER BY s.path`);
  return rows.map((row) => ({ momentMs: [Number(row.from_ms), Number(row.to_ms)], ref: refOf(row) }));
}

export interface Counted {
  readonly queue: string;
  readonly of: string;
  readonly count: number;
  readonly ref: Ref;
}

export async function readCounted(file: CaseFile): Promise<Counted[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, s.path, c.off, c.what, c.n FROM counts c JOIN sources s ON s.id = c.source
    JOIN strings q ON q.id = c.queue ORDER BY s.path, c.off, q.text, c.what`);
  return rows.map((row) => ({ queue: String(row.queue), of: String(row.what), count: Number(row.n), ref: refOf(row) }));
}

export interface Connected {
  readonly queue: string;
  readonly role: string;
  readonly name?: string;
  readonly address: string;
  readonly ageSeconds?: number;
  readonly idleSeconds?: number;
  readonly command?: string;
  readonly ref: Ref;
}

export async function readConnected(file: CaseFile): Promise<Connected[]> {
  const rows = await file.query(`
    SELECT q.text AS queue, s.path, c.* FROM connections c JOIN sources s ON s.id = c.source
    JOIN strings q ON q.id = c.queue ORDER BY s.path, c.off, q.text, c.role DESC, c.name, c.address`);
  return rows.map((row) => ({
    queue: String(row.queue),
    role: String(row.role),
    ...(row.name === null ? {} : { name: String(row.name) }),
    address: String(row.address),
    ...(row.age_s === null ? {} : { ageSeconds: Number(row.age_s) }),
    ...(row.idle_s === null ? {} : { idleSeconds: Number(row.idle_s) }),
    ...(row.command === null ? {} : { command: String(row.command) }),
    ref: refOf(row),
  }));
}
