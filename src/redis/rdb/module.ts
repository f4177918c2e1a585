/**
 * Values of Redis modules (Redis rdb.c, rdbLoadCheckModuleValue): a sequence of tagged parts, so they can be passed over
 * without the module.
 */
import { CorruptRdb } from './corrupt.js';
import { type RdbInput, skipBytes, skipString } from './rdb-input.js';

const END = 0;
const SIGNED = 1;
const UNSIGNED = 2;
const FLOAT = 3;
const DOUBLE = 4;
const STRING = 5;

/** Passes over the parts of a module value, after the module id. */
export function* skipModuleParts(input: RdbInput): Generator<undefined, void> {
  for (;;) {
    while (!input.tryPlainLength()) yield;
    switch (input.length) {
      case END:
        return;
      case SIGNED:
      case UNSIGNED:
        while (!input.tryPlainLength()) yield;
        break;
      case FLOAT:
        yield* skipBytes(input, 4);
        break;
      case DOUBLE:
        yield* skipBytes(input, 8);
        break;
      case STRING:
        yield* skipString(input);
        break;
      default:
        throw new CorruptRdb(`a module value holds a part of unknown kind ${input.length}`);
    }
  }
}
