/** What is to be said about a source beside its facts: bounded in number, each sentence once. */
import type { Damage, ReadLimit } from '../../model/evidence.js';
import { oneLine } from '../to-events.js';

const MAX_NOTES = 40;
const MAX_LENGTH = 400;

export class Notes {
  readonly #damage = new Sentences();
  readonly #limits = new Map<string, Sentences>();

  /** Something that could not be read. */
  add(what: string, at: Place = {}): void {
    this.#damage.add(what, at);
  }

  /** Something that the source does not say. `what`: a title, the same for all of its kind. */
  limit(what: string, detail: string, at: Place = {}): void {
    const sentences = this.#limits.get(what) ?? new Sentences();
    this.#limits.set(what, sentences);
    sentences.add(detail, at);
  }

  list(): readonly Damage[] {
    return this.#damage.list().map(({ text, ...at }) => ({ what: text, ...at }));
  }

  limits(): readonly ReadLimit[] {
    return [...this.#limits].flatMap(([what, sentences]) =>
      sentences.list().map(({ text, ...at }) => ({ what, detail: text, ...at })),
    );
  }
}

interface Place {
  readonly line?: number;
  readonly offset?: number;
}

/** Sentences of one kind, each once. */
class Sentences {
  readonly #told: (Place & { readonly text: string })[] = [];
  readonly #seen = new Set<string>();
  #more = 0;

  add(sentence: string, { line, offset }: Place): void {
    const text = oneLine(sentence, MAX_LENGTH);
    if (this.#seen.has(text)) return;
    if (this.#told.length >= MAX_NOTES) {
      this.#more++;
      return;
    }
    this.#seen.add(text);
    this.#told.push({
      text,
      ...(line === undefined ? {} : { line }),
      ...(offset === undefined ? {} : { offset }),
    });
  }

  list(): readonly (Place & { readonly text: string })[] {
    return this.#more === 0
      ? this.#told
      : [...this.#told, { text: `${this.#more} more remarks of this kind were left out` }];
  }
}
