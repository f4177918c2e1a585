/**
 * Finds the records in the tokens of JSON documents, which may follow one another. Only their places are of interest here;
 * the bytes are cut out by `document-frame.ts`.
 */
import type { Token } from 'stream-json/parser.js';
import { DOCUMENT_SHAPES, type DocumentShape } from './document-shapes.js';

/** A text around the records is kept up to this size. */
const MAX_AROUND = 65_536;

interface Match {
  readonly shape: DocumentShape;
  /** Steps of the path that were made. */
  readonly steps: number;
}

interface Open {
  readonly isArray: boolean;
  readonly matches: readonly Match[];
  /** Raw JSON of the members that go with the records. */
  readonly around: Map<string, string>;
  key: string;
}

interface Within {
  readonly what: 'record' | 'around' | 'other';
  readonly shape: DocumentShape | undefined;
  readonly start: number;
  depth: number;
}

export interface WalkHandler {
  /** A record of a shape, or a whole document in which none was found, has ended. False: it was none after all. */
  record(
    shape: DocumentShape | undefined,
    start: number,
    end: number,
    around: (name: string) => string | undefined,
  ): boolean;
  /** The bytes of a value that was passed. */
  text(start: number, end: number): string;
}

export class DocumentWalk {
  readonly #handler: WalkHandler;
  #stack: Open[] = [];
  #within: Within | undefined;
  #rootStart = 0;
  #rootHasRecords = false;
  #scalar: string | undefined;

  constructor(handler: WalkHandler) {
    this.#handler = handler;
  }

  get isOpen(): boolean {
    return this.#stack.length > 0;
  }

  get depth(): number {
    return this.#stack.length + (this.#within?.depth ?? 0);
  }

  /** Where what may yet be a record begins: the bytes from there on must be kept. */
  openRecords(): readonly number[] {
    const marks: number[] = [];
    if (this.#within && this.#within.what !== 'other') marks.push(this.#within.start);
    if (this.isOpen && !this.#rootHasRecords && this.#stack[0]?.isArray === false) marks.push(this.#rootStart);
    return marks;
  }

  /** Tokens of text whose last byte, at `last`, is the only one that may be a bracket. */
  take(tokens: readonly Token[], last: number): void {
    const within = this.#within;
    if (within) {
      const name = tokens.at(-1)?.name;
      if (name === 'startObject' || name === 'startArray') within.depth++;
      else if ((name === 'endObject' || name === 'endArray') && --within.depth === 0) this.#left(within, last + 1);
      return;
    }
    for (const token of tokens) this.#outside(token, last);
  }

  #outside(token: Token, last: number): void {
    const frame = this.#stack.at(-1);
    switch (token.name) {
      case 'startObject':
      case 'startArray':
        this.#enter(token.name === 'startArray', last);
        break;
      case 'endObject':
      case 'endArray':
        this.#stack.pop();
        if (!this.isOpen) this.#rootEnded(token.name === 'endArray', last + 1);
        break;
      case 'keyValue':
        if (frame) frame.key = token.value;
        break;
      case 'startString':
        this.#scalar = '';
        break;
      case 'stringChunk':
        if ((this.#scalar?.length ?? 0) < MAX_AROUND) this.#scalar += token.value;
        break;
      case 'endString':
        // The parser is fed bytes as characters.
        if (frame && wants(frame))
          frame.around.set(frame.key, JSON.stringify(Buffer.from(this.#scalar ?? '', 'latin1').toString('utf8')));
        this.#scalar = undefined;
        break;
      default:
    }
  }

  #enter(isArray: boolean, start: number): void {
    const parent = this.#stack.at(-1);
    if (!parent) {
      this.#rootStart = start;
      this.#rootHasRecords = false;
      const matches = DOCUMENT_SHAPES.map((shape) => ({ shape, steps: 0 }));
      this.#stack.push({ isArray, matches, around: new Map(), key: '' });
      return;
    }
    const matches: Match[] = [];
    for (const { shape, steps } of parent.matches) {
      if (shape.path[steps] !== (parent.isArray ? '*' : parent.key)) continue;
      matches.push({ shape, steps: steps + 1 });
    }
    const ended = matches.filter(({ shape, steps }) => steps === shape.path.length);
    // Of two shapes with one path the sign decides, once the record is there.
    if (ended.length > 0) this.#within = { what: 'record', shape: ended[0]?.shape, start, depth: 1 };
    else if (matches.length > 0) this.#stack.push({ isArray, matches, around: new Map(), key: '' });
    else this.#within = { what: wants(parent) ? 'around' : 'other', shape: undefined, start, depth: 1 };
  }

  #left({ what, shape, start }: Within, end: number): void {
    this.#within = undefined;
    const frame = this.#stack.at(-1);
    if (what === 'around' && frame && end - start <= MAX_AROUND)
      frame.around.set(frame.key, this.#handler.text(start, end));
    if (what !== 'record' || !frame) return;
    const shapes = frame.matches.map((match) => match.shape).filter((it) => it.path.length === shape?.path.length);
    const around = (name: string): string | undefined =>
      this.#stack.findLast((open) => open.around.has(name))?.around.get(name);
    for (const candidate of shapes) {
      if (!this.#handler.record(candidate, start, end, around)) continue;
      this.#rootHasRecords = true;
      return;
    }
  }

  #rootEnded(isArray: boolean, end: number): void {
    if (!isArray && !this.#rootHasRecords) this.#handler.record(undefined, this.#rootStart, end, () => undefined);
  }
}

function wants({ isArray, matches, key }: Open): boolean {
  return !isArray && matches.some(({ shape }) => shape.with?.includes(key));
}
