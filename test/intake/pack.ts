/** Archives as no tool would write them, byte by byte. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface PackedFile {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** zip: method of the data, 8 where absent. */
  readonly method?: number;
  readonly encrypted?: boolean;
  /** tar: type of the entry; zip: `2` makes a symbolic link. */
  readonly type?: string;
  /** zip: another checksum than the right one. */
  readonly crc?: number;
}

/** A zip (APPNOTE 6.3) without any of the niceties. */
export function zipOf(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content = '', method = 8, encrypted = false, type, crc } of files) {
    const bytes = Buffer.from(content);
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (encrypted ? 1 : 0), 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc ?? crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, label, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((type === '2' ? 0o120777 : 0o100644) * 65_536, 6);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, label);
    at += local.length;
    parts.push(local);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const BLOCK = 512;

/** A tar (POSIX ustar); `end`: whether the mark of its end is there. */
export function tarOf(files: readonly PackedFile[], end = true): Buffer {
  const parts = files.flatMap(({ name, content = '', type = '0' }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(BLOCK);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(`${(1705314600).toString(8).padStart(11, '0')}\0`, 136);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat(end ? [...parts, Buffer.alloc(2 * BLOCK)] : parts);
}
