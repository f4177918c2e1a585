import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineAt, placeAt, placeBehind } from '../../src/model/place.js';

const line = fc.integer({ min: 1, max: 2 ** 28 });
const nth = fc.integer({ min: 0, max: 2 ** 21 });

describe('places', () => {
  it('tell their line', () => {
    fc.assert(
      fc.property(line, nth, fc.boolean(), (at, n, newestFirst) => {
        expect(lineAt(placeAt(at, n, newestFirst))).toBe(at);
        expect(lineAt(at)).toBe(at);
      }),
    );
  });

  it('rise as the source goes on, or fall where it runs backwards', () => {
    fc.assert(
      fc.property(line, nth, fc.boolean(), (at, n, newestFirst) => {
        const sign = newestFirst ? -1 : 1;
        const [here, next, below] = [
          placeAt(at, n, newestFirst),
          placeAt(at, n + 1, newestFirst),
          placeAt(at + 1, 0, newestFirst),
        ];
        expect(Math.sign(next - here)).toBe(sign);
        expect(Math.sign(below - next)).toBe(sign);
        expect(placeBehind(here, 1)).toBeGreaterThan(here);
      }),
    );
  });
});
