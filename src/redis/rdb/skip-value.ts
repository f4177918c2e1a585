/** Passes over values that nobody wants: lengths are read, nothing is built, and strings of any size cost no memory. */
import { CorruptRdb } from './corrupt.js';
import { skipModuleParts } from './module.js';
import { type RdbInput, skipBytes, skipString } from './rdb-input.js';
import { readStream } from './stream.js';
import type { RdbLayout } from './types.js';

const SCORE_BYTES = 8;
const EXPIRY_BYTES = 8;
/** A length byte from here on stands for nan, inf or -inf and has no text behind it. */
const FIRST_SPECIAL_SCORE = 253;

/** Passes over one value. Yields whenever more bytes are wanted. */
export function* skipValue(input: RdbInput, layout: RdbLayout): Generator<undefined, void> {
  switch (layout.of) {
    case 'string':
      yield* skipString(input);
      return;
    case 'packed':
      if (layout.fieldExpiry === 'with-minimum') yield* skipBytes(input, EXPIRY_BYTES);
      yield* skipString(input);
      return;
    case 'stream':
      yield* readStream(input, layout.version, undefined);
      return;
    case 'module':
      while (!input.tryPlainLength()) yield;
      yield* skipModuleParts(input);
      return;
    case 'expiring-hash':
      if (layout.form === 'relative') yield* skipBytes(input, EXPIRY_BYTES);
      break;
    default:
  }
  while (!input.tryPlainLength()) yield;
  const count = input.length;
  const strings = layout.of === 'strings' && layout.kind === 'hash' ? 2 * count : count;
  for (let i = 0; i < strings; i++) {
    switch (layout.of) {
      case 'strings':
      case 'ziplists':
        if (!input.trySkipString()) yield* skipString(input);
        break;
      case 'scored':
        if (!input.trySkipString()) yield* skipString(input);
        if (layout.scores === 'binary' && input.has(SCORE_BYTES)) input.pos += SCORE_BYTES;
        else yield* skipScore(input, layout.scores);
        break;
      case 'quicklist-nodes':
        while (!input.tryPlainLength()) yield;
        if (!input.trySkipString()) yield* skipString(input);
        break;
      case 'expiring-hash':
        if (layout.form !== 'trailing') while (!input.tryPlainLength()) yield;
        yield* skipString(input);
        yield* skipString(input);
        if (layout.form === 'trailing') yield* skipBytes(input, EXPIRY_BYTES);
        break;
      default:
        throw new CorruptRdb('a value has no layout');
    }
  }
}

/** Passes over the score behind a member. */
export function* skipScore(input: RdbInput, scores: 'text' | 'binary'): Generator<undefined, void> {
  if (scores === 'binary') {
    yield* skipBytes(input, SCORE_BYTES);
    return;
  }
  while (!input.has(1)) yield;
  const length = input.byte();
  if (length < FIRST_SPECIAL_SCORE) yield* skipBytes(input, length);
}
