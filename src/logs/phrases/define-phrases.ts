/** How the words of a theme are declared: an ordered table, first match wins. */
import type { EventKind } from '../../model/event.js';

export interface Phrase {
  /** Null: the words are known and say nothing about a run. */
  readonly kind: EventKind | null;
  /** Matched against the text in lower case. */
  readonly says: RegExp;
  /** With these words the phrase means something else. */
  readonly unless?: RegExp;
  /** `as-written`: negated and future verbs are still in the text, for phrases that are made of them. */
  readonly on?: 'as-written';
  readonly soft?: true;
  /** BullMQ command that the words stand for. */
  readonly command?: string;
}

export interface Theme {
  readonly name: string;
  /** Some word of every phrase of the theme; a text without any is passed over at the cost of this one pattern. */
  readonly mark: RegExp;
  readonly phrases: readonly Phrase[];
}

export function definePhrases(theme: Theme): Theme {
  return theme;
}

/** The first phrase of the themes, in order, that the text says. */
export function firstPhrase(themes: readonly Theme[], asWritten: string, affirmed: string): Phrase | undefined {
  for (const theme of themes) {
    if (!theme.mark.test(asWritten)) continue;
    for (const phrase of theme.phrases) {
      const text = phrase.on === 'as-written' ? asWritten : affirmed;
      if (phrase.says.test(text) && !phrase.unless?.test(asWritten)) return phrase;
    }
  }
  return undefined;
}
