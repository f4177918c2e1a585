/** Packings, recognised by their first bytes: archives whose files are read, and those not read, with the command that unpacks them. */

interface Container {
  readonly name: string;
  readonly unpack: string;
  readonly is: (head: Uint8Array) => boolean;
}

const bytesAt =
  (offset: number, ...bytes: readonly number[]) =>
  (head: Uint8Array): boolean =>
    bytes.every((byte, i) => head[offset + i] === byte);

const either =
  (...tests: readonly ((head: Uint8Array) => boolean)[]) =>
  (head: Uint8Array): boolean =>
    tests.some((test) => test(head));

/** Whole magics where they are text: a log may well begin with `BZh` or `Rar!`. */
const CONTAINERS: readonly Container[] = [
  { name: 'xz', unpack: 'xz -dk', is: bytesAt(0, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  {
    name: 'bzip2',
    unpack: 'bzip2 -dk',
    // `BZh`, the level, then the magic of a block or of the end of the stream.
    is: (head) =>
      bytesAt(0, 0x42, 0x5a, 0x68)(head) &&
      either(bytesAt(4, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59), bytesAt(4, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90))(head),
  },
  { name: 'lz4', unpack: 'lz4 -d', is: bytesAt(0, 0x04, 0x22, 0x4d, 0x18) },
  { name: '7z', unpack: '7z x', is: bytesAt(0, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  { name: 'rar', unpack: 'unrar x', is: bytesAt(0, 0x52, 0x61, 0x72, 0x21, 0x1a, 0x07) },
];

/** Why the content is refused, if it is: names the packing and how to unpack it. `what` is 'the file', 'the unpacked data'. */
export function refusedContainer(head: Uint8Array, what: string): string | undefined {
  const found = CONTAINERS.find((container) => container.is(head));
  return found && `${what} is packed with ${found.name}, which is not read yet; unpack it first (${found.unpack})`;
}

export type ArchiveKind = 'tar' | 'zip';

const isZip = either(bytesAt(0, 0x50, 0x4b, 3, 4), bytesAt(0, 0x50, 0x4b, 5, 6));

/** Which archive the content is, if it is one whose files are read. */
export const archiveKind = (head: Uint8Array): ArchiveKind | undefined =>
  isZip(head) ? 'zip' : isTar(head) ? 'tar' : undefined;

const TAR_HEADER_BYTES = 512;
const TAR_CHECKSUM_AT = 148;
const TAR_CHECKSUM_BYTES = 8;

/** `ustar` alone could stand in any text: the header's checksum must fit too (POSIX ustar). */
function isTar(head: Uint8Array): boolean {
  if (head.length < TAR_HEADER_BYTES || !bytesAt(257, 0x75, 0x73, 0x74, 0x61, 0x72)(head)) return false;
  const field = Buffer.from(head.subarray(TAR_CHECKSUM_AT, TAR_CHECKSUM_AT + TAR_CHECKSUM_BYTES)).toString('latin1');
  let sum = TAR_CHECKSUM_BYTES * 0x20;
  for (let i = 0; i < TAR_HEADER_BYTES; i++) {
    if (i < TAR_CHECKSUM_AT || i >= TAR_CHECKSUM_AT + TAR_CHECKSUM_BYTES) sum += head[i] ?? 0;
  }
  return Number.parseInt(field, 8) === sum;
}
