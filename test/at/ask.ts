/** Evidence written by hand, and the answers to be read off it. Times count from `T`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { At } from '../../src/model/analysis.js';
import { withEvidence } from './evidence-of.js';

export const T = 1796044807000;
export const A = '99de46a1-1f60-4faf-8c76-55ce518e8ddf:0';
export const B = 'ae1e95b8-53dd-43d4-ad4f-eadca4f89b8c:2';

export interface Answers {
  readonly at: At;
  /** The answer to a question that begins so; `?` and the reason where it is not known. */
  of(question: string): string;
  /** Where the record stands that the answer rests on. */
  offsetOf(question: string): number | undefined;
}

/** Files by their path, as text or bytes; answers for each moment, in order. */
export async function ask(
  files: Readonly<Record<string, string | Uint8Array>>,
  job: string,
  ...moments: readonly number[]
): Promise<Answers[]> {
  const folder = mkdtempSync(join(scratch(), 'case-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const answers: Answers[] = [];
  await withEvidence([folder], [job], (askAt) => {
    for (const ms of moments) answers.push(toAnswers(askAt(job, T + ms)));
  });
  return answers;
}

export function toAnswers(at: At): Answers {
  const find = (question: string) => at.answers.find((one) => one.question.startsWith(question));
  return {
    at,
    of(question) {
      const found = find(question);
      if (found === undefined) return 'not asked';
      return found.known ? (found.answer ?? '') : `? ${found.why}`;
    },
    offsetOf: (question) => find(question)?.refs[0]?.offset,
  };
}

let made: string | undefined;
function scratch(): string {
  made ??= mkdtempSync(join(tmpdir(), 'bullmortem-ask-'));
  return made;
}

afterAll(() => {
  if (made !== undefined) rmSync(made, { recursive: true, force: true });
});
