/**
 * Stencils of lines, held together where they begin alike, and the search for the one that a line fits. A stencil is the
 * text of a line with holes in it. The search compares bytes in place: no line is cut out, decoded or parsed for it.
 */
import { fill, type Hole } from './holes.js';
import { startsWith } from './json-bytes.js';

/** Text, and the hole behind it. */
export interface Step {
  readonly text: string;
  readonly hole: Hole;
}

interface Branch<T> {
  readonly text: Uint8Array;
  readonly hole: Hole;
  readonly next: Branch<T>[];
  /** What a line that ends here is. */
  readonly value: T | undefined;
}

/** Bounds on what hostile lines can make it keep and try. */
const MAX_BRANCHES = 20_000;
const MAX_SIBLINGS = 64;
const MAX_HOLES = 128;

const NEWLINE = 10;
const RETURN = 13;

export class StencilTree<T> {
  readonly #roots: Branch<T>[] = [];
  #branches = 0;
  /** Where what fills each hole of the line found last begins and ends. */
  readonly starts = new Int32Array(MAX_HOLES);
  readonly ends = new Int32Array(MAX_HOLES);
  /** Offset behind that line and its newline. */
  next = 0;

  /** Adds a stencil; the last step's hole is `end`. Where there is no room for it, nothing happens. */
  add(steps: readonly Step[], value: T): void {
    if (steps.length > MAX_HOLES) return;
    let siblings = this.#roots;
    for (const { text, hole } of steps) {
      const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
      let branch = siblings.find(
        (it) => it.hole === hole && it.text.length === bytes.length && startsWith(it.text, 0, bytes),
      );
      if (branch === undefined) {
        if (siblings.length >= MAX_SIBLINGS || this.#branches >= MAX_BRANCHES) return;
        branch = { text: bytes, hole, next: [], value: hole === 'end' ? value : undefined };
        siblings.push(branch);
        this.#branches++;
      }
      siblings = branch.next;
    }
  }

  /** What the line that begins at `at` is; undefined where no stencil fits it up to its newline, which must be there. */
  find(bytes: Uint8Array, at: number): T | undefined {
    return this.#search(this.#roots, bytes, at, 0);
  }

  #search(siblings: Branch<T>[], bytes: Uint8Array, at: number, depth: number): T | undefined {
    for (let i = 0; i < siblings.length; i++) {
      const branch = siblings[i];
      if (branch === undefined || !startsWith(bytes, at, branch.text)) continue;
      const start = at + branch.text.length;
      const end = fill(branch.hole, bytes, start);
      if (end < 0) continue;
      let found: T | undefined;
      if (branch.hole === 'end') {
        const isReturn = bytes[end] === RETURN;
        if (bytes[isReturn ? end + 1 : end] !== NEWLINE) continue;
        this.next = end + (isReturn ? 2 : 1);
        found = branch.value;
      } else {
        this.starts[depth] = start;
        this.ends[depth] = end;
        found = this.#search(branch.next, bytes, end, depth + 1);
      }
      if (found === undefined) continue;
      // What comes often moves to the front. The order decides nothing: of two that fit, either is right.
      const before = siblings[i - 1];
      if (before !== undefined) {
        siblings[i - 1] = branch;
        siblings[i] = before;
      }
      return found;
    }
    return undefined;
  }
}
