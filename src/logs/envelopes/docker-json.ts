import { parseJson } from '../fields/pairs.js';
import { defineEnvelope } from './define-envelope.js';

/**
 * `{"log":"…\n","stream":"stdout","time":"…"}`, docker's json-file. A line over 16 KiB comes in pieces; only the last ends
 * in a newline, and nothing else marks the others.
 */
export const dockerJson = defineEnvelope({
  name: 'docker-json',
  recognise: (line, code) => code === 123 && line.startsWith('{"log":') && /"stream": ?"std/.test(line),
  peel(line, { time }) {
    const object = parseJson(line);
    if (!object || typeof object.log !== 'string' || typeof object.stream !== 'string') return undefined;
    const hit = time.value(object.time);
    const part = !object.log.endsWith('\n');
    const payload = part ? object.log : object.log.slice(0, object.log.endsWith('\r\n') ? -2 : -1);
    return { payload, time: hit, stream: object.stream, part };
  },
});
