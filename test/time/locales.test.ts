import { describe, expect, it } from 'vitest';
import { parseTimestamp } from '../../src/time/index.js';

/**
 * The Nest logger prints its time as `Intl.DateTimeFormat` does for the process' locale; so does `toLocaleString`. Not read:
 * the Persian calendar, and Bengali, whose day-first dates carry the capital PM of English.
 */
const LOCALES =
  'en-US en-GB en-AU en-CA en-IN en-NZ en-ZA en-IE de fr fr-CA fr-CH es es-MX pt it nl nl-BE da sv nb fi pl cs sk hu ro bg ru tr el he ar ar-EG hi th vi id ms ja ko zh zh-TW zh-HK hr sl sr lv'.split(
    ' ',
  );

const NEST: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  day: '2-digit',
  month: '2-digit',
  timeZone: 'UTC',
};

describe('dates of a locale', () => {
  it.each(LOCALES)('%s', (locale) => {
    for (const t of [
      Date.UTC(2024, 0, 25, 22, 30, 7),
      Date.UTC(2024, 0, 25, 0, 5, 9),
      Date.UTC(2024, 0, 5, 12, 0, 0),
    ]) {
      const date = new Date(t);
      for (const text of [
        new Intl.DateTimeFormat(locale, NEST).format(date),
        date.toLocaleString(locale, { timeZone: 'UTC' }),
      ]) {
        expect([text, parseTimestamp(text)?.t]).toEqual([text, t]);
      }
    }
  });
});
