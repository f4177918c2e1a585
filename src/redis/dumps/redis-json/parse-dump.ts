/**
 * Feeds a dump to the JSON parser, piece by piece. A document that is damaged is lost from there on; JSON lines begin anew
 * with every line.
 */
import { jsonParser } from 'stream-json/parser.js';
import type { ByteWindow } from '../../rdb/window.js';
import type { JsonPieces } from '../json-pieces.js';
import { RelaxedJson } from '../relaxed-json.js';
import type { ChildStream } from './child-stream.js';

export interface DumpInput {
  readonly input: ByteWindow;
  readonly pieces: JsonPieces;
  readonly isLines: boolean;
  readonly settle: () => Promise<void>;
  readonly damaged: (what: string, offset: number, line?: number) => void;
}

export async function parseDump(
  { input, pieces, isLines, settle, damaged }: DumpInput,
  target: ChildStream,
): Promise<void> {
  let text = new JsonText(target);
  let line = 1;
  let ended = false;
  let isFirst = true;
  /** The rest of a damaged line is passed over. */
  let isSkipping = false;
  while (!ended) {
    // One byte more than there is: whatever comes next.
    input.has(input.end - input.pos + 1);
    ended = !(await input.fill());
    await settle();
    for (let piece = pieces.next(ended); piece !== undefined; piece = pieces.next(ended)) {
      const isLineEnd = isLines && piece.endsWith('\n');
      const isLast = isLineEnd || (ended && input.pos === input.end);
      const problem = isSkipping ? undefined : text.feed(isFirst ? piece.replace(/^\uFEFF/, '') : piece, isLast);
      isFirst = false;
      if (problem !== undefined && !isLines) {
        damaged(`not JSON from here on: ${problem}; what stands before was kept`, pieces.offset);
        return;
      }
      if (problem !== undefined) {
        damaged(`a line is not JSON: ${problem}`, pieces.offset, line);
        isSkipping = true;
      } else if (isLineEnd && target.isOpen) damaged('a line ends early', pieces.offset, line);
      if (isLineEnd) {
        line++;
        isSkipping = false;
        target.reset();
        text = new JsonText(target);
      }
    }
  }
  if (input.sourceError !== undefined) damaged(`the source broke off: ${input.sourceError}`, input.offset);
  else if (target.isOpen)
    damaged('the JSON ends early; what stands before was kept', input.offset, isLines ? line : undefined);
}

/** One JSON text, or several in a row. */
class JsonText {
  readonly #parser = jsonParser({ packValues: true, streamValues: false, jsonStreaming: true });
  readonly #relaxed = new RelaxedJson();
  readonly #target: ChildStream;

  constructor(target: ChildStream) {
    this.#target = target;
  }

  /** Returns what is wrong with it, if anything. */
  feed(piece: string, isLast: boolean): string | undefined {
    try {
      const tokens = this.#parser(this.#relaxed.feed(piece, isLast));
      if (typeof tokens !== 'symbol') for (const token of tokens.values) this.#target.take(token);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
