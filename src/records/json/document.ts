/**
 * One JSON document of any size (or several behind one another), read with stream-json: the objects of its array are told and
 * forgotten one by one, and what stood before a damage is kept.
 *
 * The parser does not tell where a token stands. So it is fed up to one bracket at a time: a token that opens an object is that
 * bracket.
 */
import { StringDecoder } from 'node:string_decoder';
import Assembler from 'stream-json/assembler.js';
import { jsonParser, type Token } from 'stream-json/parser.js';
import type { OnFault, OnValue } from './value-sink.js';

const BRACKETS = /[{}[\]]/g;
/** Without a bracket the parser is fed in parts of this size. */
const MAX_PIECE = 65_536;
const NEWLINES = /\n/g;

export async function readDocument(blocks: AsyncIterable<Uint8Array>, take: OnValue, fault: OnFault): Promise<void> {
  const decoder = new StringDecoder('utf8');
  const parser = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  const walk = new Walk(take);
  let line = 1;
  let offset = 0;
  let isLost = false;
  let isFirst = true;

  const feed = (piece: string): void => {
    if (isLost || piece === '') return;
    const end = { line: line + (piece.match(NEWLINES)?.length ?? 0), offset: offset + Buffer.byteLength(piece) };
    try {
      const tokens = parser(isFirst ? piece.replace(/^\uFEFF/, '') : piece);
      isFirst = false;
      if (typeof tokens !== 'symbol') for (const token of tokens.values) walk.take(token, end.line, end.offset - 1);
    } catch (error) {
      isLost = true;
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      fault(`not JSON from here on: ${why.slice(0, 200)}; what stands before was kept`, line, offset);
    }
    line = end.line;
    offset = end.offset;
  };
  for await (const block of blocks) {
    if (isLost) continue;
    const text = decoder.write(block);
    BRACKETS.lastIndex = 0;
    for (let at = 0; at < text.length; ) {
      const found = BRACKETS.exec(text);
      const stop = found === null ? text.length : found.index + 1;
      for (; at < stop; at += MAX_PIECE) feed(text.slice(at, Math.min(stop, at + MAX_PIECE)));
      at = stop;
    }
  }
  feed(decoder.end());
  if (!isLost && walk.isOpen) fault('the JSON ends early; what stands before was kept', line, offset);
}

/** `aws dynamodb scan` and many APIs answer with one object that holds the records in an array of such a name. */
const HOLDERS: ReadonlySet<string> = new Set([
  'Items',
  'items',
  'records',
  'Records',
  'rows',
  'data',
  'documents',
  'results',
]);

interface OpenObject {
  readonly assembler: Assembler;
  readonly line: number;
  readonly offset: number;
}

/** Puts together the objects that stand for records: those in an array, or those that stand alone. */
class Walk {
  readonly #take: OnValue;
  /** What is open around the object being put together. */
  readonly #around: ('array' | 'object')[] = [];
  #object: OpenObject | undefined;

  constructor(take: OnValue) {
    this.#take = take;
  }

  get isOpen(): boolean {
    return this.#object !== undefined || this.#around.length > 0;
  }

  take(token: Token, line: number, offset: number): void {
    const open = this.#object;
    if (open !== undefined) {
      this.#goOn(open, token);
      return;
    }
    if (token.name === 'startArray') this.#around.push('array');
    else if (token.name === 'endArray' || token.name === 'endObject') this.#around.pop();
    else if (token.name === 'startObject') {
      this.#object = { assembler: new Assembler({ numberAsString: true }), line, offset };
      this.#object.assembler.consume(token);
    }
  }

  #goOn({ assembler, line, offset }: OpenObject, token: Token): void {
    const isMember = this.#around.length === 0 && assembler.stack.length === 0;
    if (token.name === 'startArray' && isMember && HOLDERS.has(assembler.key ?? '')) {
      this.#object = undefined;
      this.#around.push('object', 'array');
      return;
    }
    assembler.consume(token);
    if (!assembler.done) return;
    this.#object = undefined;
    // Beside the array of records, an answer holds objects of its own.
    if (this.#around.at(-1) !== 'object') this.#take(assembler.current, line, offset);
  }
}
