/** Writes captures of MONITOR as Redis does. */

/** Quotes one argument (sds.c: sdscatrepr). */
export function quoted(arg: string | number | Uint8Array): string {
  const bytes = arg instanceof Uint8Array ? Buffer.from(arg) : Buffer.from(String(arg));
  const named: Readonly<Record<number, string>> = { 10: 'n', 13: 'r', 9: 't', 7: 'a', 8: 'b', 34: '"', 92: '\\' };
  return `"${[...bytes]
    .map((byte) => {
      const name = named[byte];
      if (name !== undefined) return `\\${name}`;
      return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('')}"`;
}

/** One line at `ms`; `from` is a client's address or `lua`. */
export function monitorLine(ms: number, from: string, ...args: readonly (string | number | Uint8Array)[]): string {
  const micros = Math.round(ms * 1000);
  const time = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
  return `${time} [0 ${from}] ${args.map(quoted).join(' ')}\n`;
}

/** As much of MessagePack as the tests need. */
export function pack(value: string | number | readonly string[] | Readonly<Record<string, string | number>>): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.from([0xcd, 0, 0]);
    bytes.writeUInt16BE(value, 1);
    return bytes;
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xd9, bytes.length]), bytes]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([Buffer.from([0x90 | value.length]), ...value.map((item: string) => pack(item))]);
  }
  const members = Object.entries(value);
  return Buffer.concat([
    Buffer.from([0xde, 0, members.length]),
    ...members.flatMap(([name, member]) => [pack(name), pack(member)]),
  ]);
}
