/** Thrown inside the parser only: `readRdb` turns them into a `Damage`. The message is a plain half sentence. */

/** Where the file goes on cannot be told any more. */
export class CorruptRdb extends Error {}

/** As `CorruptRdb`, for a file that is sound as far as known but holds a type or opcode this reader has no layout for. */
export class UnknownRdbPart extends CorruptRdb {}

/** Something packed into one string is damaged. The string ends where it says, so the file can be read on. */
export class CorruptPart extends Error {}
