/** Thrown inside the parser only: `readRdb` turns it into a `Damage`. The message is a plain half sentence. */
export class CorruptRdb extends Error {}

/** As `CorruptRdb`, for a file that is sound as far as known but holds a type or opcode this reader has no layout for. */
export class UnknownRdbPart extends CorruptRdb {}
