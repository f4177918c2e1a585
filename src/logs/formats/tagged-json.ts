import { parseJson } from '../fields/pairs.js';
import { defineFormat } from './define-format.js';
import { jsonFormatOf } from './json-formats.js';
import { readJson } from './read-json.js';

/** `[mail-worker] {"t":1705314600123,"event":"stalled","jobId":"12"}`: a record that its author put a tag in front of. */
const TAG = /^\[([^\]\n]{1,80})\]:?\s{1,4}(?=\{\s?")/;

export const taggedJson = defineFormat({
  name: 'tagged-json',
  recognise: (line, code) => code === 91 && TAG.test(line.slice(0, 100)),
  parse(line, context) {
    const [head, label] = TAG.exec(line.slice(0, 100)) ?? [];
    const object = head === undefined ? undefined : parseJson(line.slice(head.length));
    if (object === undefined) return undefined;
    const record = readJson(jsonFormatOf(object, line), object, line, context);
    // Without a time or a message it says no more than a line of text with an object in it.
    if (record.t === undefined) return undefined;
    record.fields.label ??= label;
    return { ...record, format: 'tagged-json' };
  },
});
