/** A line about a job without what differs from one job to the next, so that the same words in two jobs compare equal. */

import { ownString } from '../own-string.js';

const MAX_SHAPE = 80;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const QUOTED = /"[^"]*"|'[^']*'|\{.*\}|\[.*\]/g;

/** `ids` are the jobs that the line names. */
export function lineShape(message: string, ids: readonly string[]): string {
  let text = message.slice(0, 4 * MAX_SHAPE).toLowerCase();
  for (const id of ids) if (id !== '') text = text.split(id.toLowerCase()).join('#');
  const shape = text
    .replace(QUOTED, '…')
    .replace(UUID, '…')
    .replace(/\S*[\d@/]\S*/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SHAPE);
  return ownString(shape);
}
