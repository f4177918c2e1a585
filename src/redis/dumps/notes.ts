/** What is to be said about a source beside its facts: bounded in number, each sentence once. */
import type { Damage } from '../../model/evidence.js';
import { oneLine } from '../to-events.js';

const MAX_NOTES = 60;
const MAX_LENGTH = 400;

export class Notes {
  readonly #notes: Damage[] = [];
  readonly #seen = new Set<string>();
  #more = 0;

  add(what: string, at: { readonly line?: number; readonly offset?: number } = {}): void {
    const text = oneLine(what, MAX_LENGTH);
    if (this.#seen.has(text)) return;
    if (this.#notes.length >= MAX_NOTES) {
      this.#more++;
      return;
    }
    this.#seen.add(text);
    const { line, offset } = at;
    this.#notes.push({
      what: text,
      ...(line === undefined ? {} : { line }),
      ...(offset === undefined ? {} : { offset }),
    });
  }

  list(): readonly Damage[] {
    return this.#more === 0
      ? this.#notes
      : [...this.#notes, { what: `${this.#more} more remarks of this kind were left out` }];
  }
}
