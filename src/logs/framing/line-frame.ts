/** Sources whose entries are lines: nearly all. */
import type { Damage } from '../../model/evidence.js';
import { createLineSplitter, MAX_LINE_BYTES } from '../lines.js';
import { type Frame, many, type OnEntry } from './frame.js';

export function createLineFrame(onEntry: OnEntry): Frame {
  const lines = createLineSplitter(onEntry);
  return {
    push: lines.push,
    end: lines.end,
    damage(): Damage[] {
      const { cutLines, firstCutLine, badLines, firstBadLine } = lines.damage;
      const damage: Damage[] = [];
      if (cutLines > 0) {
        const what = `${many(cutLines, 'line')} cut: only the first ${MAX_LINE_BYTES} bytes were kept`;
        damage.push({ what, line: firstCutLine });
      }
      if (badLines > 0)
        damage.push({ what: `${many(badLines, 'line')} with bytes that are not UTF-8`, line: firstBadLine });
      return damage;
    },
  };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Markdown, as incidents are written up in: only what stands between fences may be a log. A fence is closed by one of the
 * same sign that is at least as long.
 */
export function createFencedFrame(onEntry: OnEntry): Frame {
  let fence = '';
  return createLineFrame((text, line, offset) => {
    const mark = FENCE.exec(text)?.[1];
    if (mark === undefined) {
      if (fence !== '') onEntry(text, line, offset);
    } else if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    else onEntry(text, line, offset);
  });
}
