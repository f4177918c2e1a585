/** Writes append-only files as Redis does. */

export type Arg = string | number | Uint8Array;

/** One command in RESP. */
export function command(...args: readonly Arg[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = arg instanceof Uint8Array ? Buffer.from(arg) : Buffer.from(String(arg));
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

/** Commands one a line, arguments apart by spaces; `#TS:…` lines stay as they are. */
export function aof(text: string): Buffer {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Buffer.concat(
    lines.map((line) => (line.startsWith('#') ? Buffer.from(`${line}\r\n`) : command(...line.split(' ')))),
  );
}
