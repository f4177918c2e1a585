import { expect, test } from 'vitest';
import { Crc64 } from '../../src/redis/rdb/crc64.js';

/** Found: a range that ended before the first aligned word threw. */
test('a checksum does not depend on where a range begins and ends', () => {
  const bytes = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) & 255);
  for (let from = 0; from < 9; from++) {
    for (let to = from; to <= bytes.length; to++) {
      const whole = new Crc64();
      whole.update(bytes, from, to);
      const single = new Crc64();
      for (let at = from; at < to; at++) single.update(bytes, at, at + 1);
      expect(whole.hex()).toBe(single.hex());
    }
  }
});
