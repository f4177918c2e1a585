/** Columns that a text takes in a monospace face: wide East Asian letters and emoji two, combining marks none. */

const NONE = /\p{M}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text, or its beginning and end with `gap` between, in at most so many columns. */
export function fitWidth(text: string, columns: number, gap: string): string {
  if (textWidth(text) <= columns) return text;
  const half = Math.floor((columns - textWidth(gap)) / 2);
  const characters = [...text];
  return take(characters, half).join('') + gap + take(characters.reverse(), half).reverse().join('');
}

function take(characters: readonly string[], columns: number): string[] {
  const taken: string[] = [];
  let width = 0;
  for (const character of characters) {
    width += widthOf(character);
    if (width > columns) break;
    taken.push(character);
  }
  return taken;
}

function widthOf(character: string): number {
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
