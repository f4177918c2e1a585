import { defineEnvelope } from './define-envelope.js';

/** `[pod/worker-6c9f-abcde/worker] line`, the prefix of `kubectl logs --prefix`. */
const POD = /^\[pod\/([^/\]]{1,253})\/([^\]]{1,253})\] /;

export const podPrefix = defineEnvelope({
  name: 'kubectl-prefix',
  recognise: (line, code) => code === 91 && line.startsWith('[pod/'),
  peel(line) {
    const match = POD.exec(line.slice(0, 520));
    return match ? { payload: line.slice(match[0].length), container: match[1] } : undefined;
  },
});

/** `2024-01-15T10:30:00.123456789Z stdout F line`, the files of the container runtime; `P` goes on in the next line. */
const CRI = /^\d{4}-\d\d-\d\dT\S{8,30} (stdout|stderr) ([PF])(?::\S{1,40})? /;

export const cri = defineEnvelope({
  name: 'cri',
  recognise: (line, code) =>
    code >= 48 && code <= 57 && line.charCodeAt(10) === 84 && / std(?:out|err) [PF]/.test(line.slice(0, 60)),
  peel(line, { time }) {
    // A record without text has no space behind its tag.
    const match = CRI.exec(`${line.slice(0, 100)} `);
    const hit = match && time.at(line, 0);
    if (!match || !hit) return undefined;
    return { payload: line.slice(match[0].length), time: hit, stream: match[1], part: match[2] === 'P' };
  },
});
