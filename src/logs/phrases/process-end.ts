import { definePhrases } from './define-phrases.js';

/** A process broke down, or its end was reported by what ran it. */
export const processEnd = definePhrases({
  name: 'process-end',
  mark: /uncaught|unhandled|fatal|heap|out of memory|core dumped|segmentation|node\.js v|exit|kill|oom|crash|terminated|status \d|signal|forc|error code/,
  phrases: [
    {
      kind: 'process-crashed',
      on: 'as-written',
      says: /\bheap out of memory\b|\bfatal error: .{0,120}(?:heap|allocation|memory|limit)|\bsegmentation fault\b|\bcore dumped\b|\bnode\.js v\d{1,3}\.\d|\bfatal process (?:error|oom)\b/,
    },
    {
      kind: 'process-crashed',
      on: 'as-written',
      says: /\buncaught ?exceptions?\b|\buncaught (?:\w*error|typeerror|exception)|^\W*uncaught\b/,
      unless: /\bhandlers?\b.{0,20}\b(?:installed|registered|set up)\b/,
    },
    {
      kind: 'process-crashed',
      soft: true,
      on: 'as-written',
      says: /\bunhandled ?(?:promise ?)?rejections?\b|\bunhandledpromiserejection/,
      unless: /\bhandlers?\b.{0,20}\b(?:installed|registered|set up)\b|rejections? (?:are|will)/,
    },
    {
      kind: 'process-ended',
      on: 'as-written',
      says: /\boomkilled\b|\boom[- ]kill(?:ed|er)?\b|\bout of memory: kill|\bkilled process \d|\bmemory quota (?:exceeded|vastly)|\bexit(?:ed|ing|s)?(?: code| status| with)[ :=["']{0,3}(?:code|status|signal)?[ :=["']{0,3}(?:\d{1,3}|sig[a-z]{3,4}\d?)\b|\b(?:exited|process ended|process (?:has )?exited|process terminated|container (?:has )?(?:died|exited|stopped))\b|\bprocess exit(?:ing)?\b|^\W*(?:killed|terminated)\W*$|\b(?:terminated|killed|stopped|exited) (?:by|via|with|due to) (?:signal )?["'[]?sig(?:kill|term|int|abrt|segv)\b|\bfailed with (?:(?:exit|error) code \d|signal)|\bstate changed from up to (?:crashed|down)\b|\bstopping (?:all )?process(?:es)? with sigkill\b|\bdie[ds]?\b.{0,10}\bexitcode=\d|\bback-?off restarting failed container\b|\bforc(?:ing|ed|e|ibly)(?: an?)? (?:exit(?:ing)?|shut ?down|quit(?:ting)?|kill(?:ing)?|terminat\w+)\b/,
      unless: /\bchild\b|unexpected exit code/,
    },
  ],
});
